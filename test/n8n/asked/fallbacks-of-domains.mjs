// Give each branded domain that has no page for broken links the page of the shop. Shared domains of the service may be listed
// too; they can't be changed.
import { expr, newCredential, node, trigger, workflow } from '@n8n/workflow-sdk';

const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } });

const domains = node({
	type: 'n8n-nodes-link-management.linkManagement',
	version: 1,
	config: {
		name: 'Domains',
		parameters: { resource: 'domain', operation: 'getAll', returnAll: true },
		credentials: { linkManagementApi: newCredential('Link Management') },
	},
});

const without = node({
	type: 'n8n-nodes-base.filter',
	version: 2.2,
	config: {
		name: 'Without a fallback',
		parameters: {
			conditions: {
				options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
				combinator: 'and',
				conditions: [
					{
						id: '1',
						leftValue: expr('{{ $json.redirect404 }}'),
						rightValue: '',
						operator: { type: 'string', operation: 'empty', singleValue: true },
					},
				],
			},
		},
	},
});

const update = node({
	type: 'n8n-nodes-link-management.linkManagement',
	version: 1,
	config: {
		name: 'Set the fallback',
		parameters: {
			resource: 'domain',
			operation: 'update',
			domainId: { __rl: true, mode: 'id', value: expr('{{ $json.id }}') },
			domainFields: { redirect404: 'https://shop.example.com/not-found' },
		},
		credentials: { linkManagementApi: newCredential('Link Management') },
		onError: 'continueRegularOutput',
	},
});

export default workflow('fallbacks-of-domains', 'Fallbacks of domains').add(start).to(domains).to(without).to(update);
