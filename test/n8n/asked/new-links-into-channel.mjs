// Put each new link into the channel "Newsletter", and make the channel if it is missing.
import { expr, newCredential, node, trigger, workflow } from '@n8n/workflow-sdk';

const created = trigger({
	type: 'n8n-nodes-link-management.linkManagementTrigger',
	version: 1,
	config: {
		name: 'When a link is created',
		parameters: { event: 'linkCreated', pollTimes: { item: [{ mode: 'everyMinute' }] } },
		credentials: { linkManagementApi: newCredential('Link Management') },
	},
});

const assign = node({
	type: 'n8n-nodes-link-management.linkManagement',
	version: 1,
	config: {
		name: 'Into the channel',
		parameters: {
			resource: 'channel',
			operation: 'assignItem',
			channelId: { __rl: true, mode: 'name', value: 'Newsletter' },
			itemType: 'links',
			linkId: { __rl: true, mode: 'id', value: expr('{{ $json.id }}') },
			options: { ifNameMissing: 'create' },
		},
		credentials: { linkManagementApi: newCredential('Link Management') },
	},
});

const items = node({
	type: 'n8n-nodes-link-management.linkManagement',
	version: 1,
	config: {
		name: 'What is in it',
		parameters: {
			resource: 'channel',
			operation: 'getItems',
			channelId: { __rl: true, mode: 'id', value: expr('{{ $json.channelId }}') },
			returnAll: true,
		},
		credentials: { linkManagementApi: newCredential('Link Management') },
	},
});

export default workflow('new-links-into-channel', 'New links into channel').add(created).to(assign).to(items);
