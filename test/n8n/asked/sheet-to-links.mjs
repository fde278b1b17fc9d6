// Every night, make or update a short link for each row of a Google Sheet, and write the short URLs back. Rows may be bad.
import { expr, newCredential, node, trigger, workflow } from '@n8n/workflow-sdk';

const nightly = trigger({
	type: 'n8n-nodes-base.scheduleTrigger',
	version: 1.2,
	config: {
		name: 'Nightly',
		parameters: { rule: { interval: [{ field: 'days', triggerAtHour: 3 }] } },
	},
});

const rows = node({
	type: 'n8n-nodes-base.googleSheets',
	version: 4.7,
	config: {
		name: 'Read rows',
		parameters: {
			resource: 'sheet',
			operation: 'read',
			documentId: { __rl: true, mode: 'list', value: '' },
			sheetName: { __rl: true, mode: 'list', value: '' },
		},
		credentials: { googleSheetsOAuth2Api: newCredential('Google Sheets') },
		output: [
			{ row_number: 2, 'Long URL': 'https://shop.example.com/tea', Alias: 'tea', Title: 'Tea' },
			{ row_number: 3, 'Long URL': 'https://shop.example.com/coffee-2', Alias: 'coffee', Title: 'Coffee' },
			{ row_number: 4, 'Long URL': 'no address', Alias: 'bad', Title: '' },
		],
	},
});

const keep = node({
	type: 'n8n-nodes-link-management.linkManagement',
	version: 1,
	config: {
		name: 'Create or update links',
		parameters: {
			resource: 'link',
			operation: 'upsert',
			columns: { mappingMode: 'autoMapInputData', value: null },
			linkFields: { parameters: { values: [{ name: 'utm_source', value: 'sheet' }] } },
			options: { matchOn: 'alias', updateWhen: 'changed' },
		},
		credentials: { linkManagementApi: newCredential('Link Management') },
		onError: 'continueRegularOutput',
	},
});

const results = node({
	type: 'n8n-nodes-base.set',
	version: 3.4,
	config: {
		name: 'Results',
		parameters: {
			mode: 'manual',
			assignments: {
				assignments: [
					{ id: '1', name: 'row_number', type: 'number', value: expr("{{ $('Read rows').item.json.row_number }}") },
					{ id: '2', name: 'short_url', type: 'string', value: expr("{{ $json.shorturl ?? '' }}") },
					{ id: '3', name: 'result', type: 'string', value: expr('{{ $json.action ?? $json.error }}') },
				],
			},
		},
	},
});

export default workflow('sheet-to-links', 'Sheet to links').add(nightly).to(rows).to(keep).to(results);
