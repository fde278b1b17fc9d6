// Each Monday, send the five most clicked links of the account by email, with the number of campaigns there are.
import { expr, newCredential, node, trigger, workflow } from '@n8n/workflow-sdk';

const monday = trigger({
	type: 'n8n-nodes-base.scheduleTrigger',
	version: 1.2,
	config: {
		name: 'Monday',
		parameters: { rule: { interval: [{ field: 'weeks', triggerAtDay: [1], triggerAtHour: 9 }] } },
	},
});

const campaigns = node({
	type: 'n8n-nodes-link-management.linkManagement',
	version: 1,
	config: {
		name: 'Campaigns',
		parameters: { resource: 'campaign', operation: 'getAll', returnAll: true },
		credentials: { linkManagementApi: newCredential('Link Management') },
	},
});

const links = node({
	type: 'n8n-nodes-link-management.linkManagement',
	version: 1,
	config: {
		name: 'Most clicked links',
		parameters: {
			resource: 'link',
			operation: 'getAll',
			returnAll: false,
			limit: 5,
			filters: { order: 'click' },
		},
		credentials: { linkManagementApi: newCredential('Link Management') },
		executeOnce: true,
	},
});

const together = node({
	type: 'n8n-nodes-base.aggregate',
	version: 1,
	config: {
		name: 'Together',
		parameters: { aggregate: 'aggregateAllItemData', destinationFieldName: 'links', include: 'allFields' },
	},
});

const report = node({
	type: 'n8n-nodes-base.set',
	version: 3.4,
	config: {
		name: 'Report',
		parameters: {
			mode: 'manual',
			assignments: {
				assignments: [
					{
						id: '1',
						name: 'text',
						type: 'string',
						value: expr(
							"{{ $json.links.map((link) => link.shorturl + ': ' + link.clicks).join('\\n') }}\n{{ $('Campaigns').all().length }} campaigns",
						),
					},
				],
			},
		},
	},
});

const mail = node({
	type: 'n8n-nodes-base.gmail',
	version: 2.1,
	config: {
		name: 'Send report',
		parameters: {
			resource: 'message',
			operation: 'send',
			sendTo: 'marketing@example.com',
			subject: 'The most clicked links',
			emailType: 'text',
			message: expr('{{ $json.text }}'),
		},
		credentials: { gmailOAuth2: newCredential('Gmail') },
		output: [{ id: 'sent' }],
	},
});

export default workflow('report-of-links', 'Report of links')
	.add(monday)
	.to(campaigns)
	.to(links)
	.to(together)
	.to(report)
	.to(mail);
