// Shorten one long URL as "spring", in the campaign "Spring Sale" (make it if it is missing), until the end of 2031.
import { newCredential, node, trigger, workflow } from '@n8n/workflow-sdk';

const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } });

const shorten = node({
	type: 'n8n-nodes-link-management.linkManagement',
	version: 1,
	config: {
		name: 'Shorten',
		parameters: {
			resource: 'link',
			operation: 'create',
			url: 'https://shop.example.com/spring',
			linkFields: {
				custom: 'spring',
				campaign: { __rl: true, mode: 'name', value: 'Spring Sale' },
				expiry: '2031-12-31',
				parameters: { values: [{ name: 'utm_source', value: 'newsletter' }] },
			},
			options: { ifNameMissing: 'create' },
		},
		credentials: { linkManagementApi: newCredential('Link Management') },
	},
});

export default workflow('shorten-a-link', 'Shorten a link').add(start).to(shorten);
