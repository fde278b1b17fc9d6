// Delete the links of a list of short URLs; those that are gone already are no reason to stop.
import { expr, newCredential, node, trigger, workflow } from '@n8n/workflow-sdk';

const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } });

const list = node({
	type: 'n8n-nodes-base.googleSheets',
	version: 4.7,
	config: {
		name: 'Links to delete',
		parameters: {
			resource: 'sheet',
			operation: 'read',
			documentId: { __rl: true, mode: 'list', value: '' },
			sheetName: { __rl: true, mode: 'list', value: '' },
		},
		credentials: { googleSheetsOAuth2Api: newCredential('Google Sheets') },
		output: [{ short: 'SHORT_URLS/old-1' }, { short: 'SHORT_URLS/gone' }, { short: 'SHORT_URLS/old-2' }],
	},
});

const remove = node({
	type: 'n8n-nodes-link-management.linkManagement',
	version: 1,
	config: {
		name: 'Delete links',
		parameters: {
			resource: 'link',
			operation: 'delete',
			linkId: { __rl: true, mode: 'shortUrl', value: expr('{{ $json.short }}') },
		},
		credentials: { linkManagementApi: newCredential('Link Management') },
		onError: 'continueRegularOutput',
	},
});

export default workflow('delete-old-links', 'Delete old links').add(start).to(list).to(remove);
