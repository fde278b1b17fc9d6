// Make a QR code for each product of a list, in the colors of the shop, and save the pictures as files.
import { expr, newCredential, node, trigger, workflow } from '@n8n/workflow-sdk';

const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } });

const products = node({
	type: 'n8n-nodes-base.code',
	version: 2,
	config: {
		name: 'Products',
		parameters: {
			mode: 'runOnceForAllItems',
			language: 'javaScript',
			jsCode: "return ['tea', 'coffee'].map((name) => ({ json: { name, url: 'https://shop.example.com/' + name } }));",
		},
	},
});

const codes = node({
	type: 'n8n-nodes-link-management.linkManagement',
	version: 1,
	config: {
		name: 'Make QR codes',
		parameters: {
			resource: 'qrCode',
			operation: 'create',
			type: 'link',
			data: expr('{{ $json.url }}'),
			qrCodeFields: { name: expr('{{ $json.name }}'), foreground: '#1A2B3C', background: 'rgb(255,255,255)' },
			options: { downloadPicture: true, binaryPropertyName: 'picture' },
		},
		credentials: { linkManagementApi: newCredential('Link Management') },
	},
});

const files = node({
	type: 'n8n-nodes-base.readWriteFile',
	version: 1.1,
	config: {
		name: 'Save pictures',
		parameters: {
			operation: 'write',
			fileName: expr('FILES_FOLDER/{{ $binary.picture.fileName }}'),
			dataPropertyName: 'picture',
		},
	},
});

export default workflow('qr-code-per-row', 'QR code per row').add(start).to(products).to(codes).to(files);
