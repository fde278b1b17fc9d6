// Make a tracking pixel, and a link that fires it and leads phones to the app.
import { expr, newCredential, node, trigger, workflow } from '@n8n/workflow-sdk';

const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } });

const pixel = node({
	type: 'n8n-nodes-link-management.linkManagement',
	version: 1,
	config: {
		name: 'Make the pixel',
		parameters: { resource: 'pixel', operation: 'create', pixelType: 'gtmpixel', name: 'Shop', tag: 'GTM-ABC123' },
		credentials: { linkManagementApi: newCredential('Link Management') },
	},
});

const link = node({
	type: 'n8n-nodes-link-management.linkManagement',
	version: 1,
	config: {
		name: 'Make the link',
		parameters: {
			resource: 'link',
			operation: 'create',
			url: 'https://shop.example.com/app',
			linkFields: {
				pixels: [expr('{{ $json.id }}')],
				devicetarget: {
					values: [{ device: ['iPhone'], link: 'https://apps.example.com/ios' }],
				},
				deeplink: { value: { auto: true } },
				metatitle: 'Our app',
			},
			options: { ifAliasExists: 'returnExisting', ifRateLimited: 'wait' },
		},
		credentials: { linkManagementApi: newCredential('Link Management') },
	},
});

export default workflow('links-with-pixels', 'Links with pixels').add(start).to(pixel).to(link);
