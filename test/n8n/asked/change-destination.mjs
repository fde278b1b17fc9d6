// A form takes a short URL and a new address: the short link leads there from now on.
import { expr, newCredential, node, trigger, workflow } from '@n8n/workflow-sdk';

const form = trigger({
	type: 'n8n-nodes-base.formTrigger',
	version: 2.2,
	config: {
		name: 'Form',
		parameters: {
			formTitle: 'Change a short link',
			formFields: {
				values: [
					{ fieldLabel: 'Short URL', fieldType: 'text', requiredField: true },
					{ fieldLabel: 'New address', fieldType: 'text', requiredField: true },
				],
			},
		},
	},
});

const change = node({
	type: 'n8n-nodes-link-management.linkManagement',
	version: 1,
	config: {
		name: 'Change destination',
		parameters: {
			resource: 'link',
			operation: 'update',
			linkId: { __rl: true, mode: 'shortUrl', value: expr("{{ $json['Short URL'] }}") },
			linkFields: { url: expr("{{ $json['New address'] }}") },
		},
		credentials: { linkManagementApi: newCredential('Link Management') },
	},
});

const look = node({
	type: 'n8n-nodes-link-management.linkManagement',
	version: 1,
	config: {
		name: 'Look at the link',
		parameters: {
			resource: 'link',
			operation: 'get',
			linkId: { __rl: true, mode: 'id', value: expr('{{ $json.id }}') },
			simplify: true,
		},
		credentials: { linkManagementApi: newCredential('Link Management') },
	},
});

export default workflow('change-destination', 'Change destination').add(form).to(change).to(look);
