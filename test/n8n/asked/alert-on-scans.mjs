// Write a message when a QR code reaches each further hundred of scans.
import { expr, newCredential, node, trigger, workflow } from '@n8n/workflow-sdk';

const scanned = trigger({
	type: 'n8n-nodes-link-management.linkManagementTrigger',
	version: 1,
	config: {
		name: 'When a QR code reaches 100 scans',
		parameters: {
			event: 'qrCodeScanThreshold',
			watch: 'all',
			threshold: 100,
			thresholdMode: 'every',
			pollTimes: { item: [{ mode: 'everyMinute' }] },
		},
		credentials: { linkManagementApi: newCredential('Link Management') },
	},
});

const message = node({
	type: 'n8n-nodes-base.set',
	version: 3.4,
	config: {
		name: 'Message',
		parameters: {
			mode: 'manual',
			assignments: {
				assignments: [
					{
						id: '1',
						name: 'text',
						type: 'string',
						value: expr('{{ $json.name }} has reached {{ $json.threshold }} scans ({{ $json.scans }} by now)'),
					},
				],
			},
		},
	},
});

export default workflow('alert-on-scans', 'Alert on scans').add(scanned).to(message);
