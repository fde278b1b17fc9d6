/** Each event in the newest n8n: active workflows, polled by n8n itself, over real HTTP to the sandbox. */
import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../sandbox';
import { oneAccount, sharedN8n } from './host/shared';
import { pollingWorkflow, reported } from './polling';

const n8n = sharedN8n();
let sandbox: Sandbox;

oneAccount({ dialect: 'field', records: { links: 300, qrs: 40 } }, (service) => (sandbox = service));

it('each event starts its workflow with exactly the right items', async () => {
	const { links, qrs } = await sandbox.createRecords({
		links: [{ title: 'Sale', clicks: 8 }],
		qrs: [{ name: 'Poster', scans: 95 }],
	});
	const [link, qr] = [links[0], qrs[0]];
	const events: INodeParameters[] = [
		{ event: 'linkCreated' },
		{ event: 'linkClicked' },
		{ event: 'linkClickThreshold', threshold: 10_000_000, thresholdMode: 'once' },
		{ event: 'qrCodeCreated' },
		{ event: 'qrCodeScanned', watch: 'selected', qrCodeIds: [qr.id] },
		{ event: 'qrCodeScanThreshold', watch: 'selected', qrCodeIds: [qr.id], threshold: 100, thresholdMode: 'every' },
	];
	const ids: string[] = [];
	for (const parameters of events) {
		const id = await n8n.createWorkflow(pollingWorkflow(parameters));
		await n8n.activate(id);
		ids.push(id);
	}
	const created = await sandbox.createRecords({ links: [{ title: 'New' }], qrs: [{ name: 'Flyer' }] });
	await sandbox.simulate({ clicks: [{ id: link.id, count: 10_000_000 }], scans: [{ id: qr.id, count: 110 }] });
	const items = await Promise.all(ids.map(async (id) => await reported(n8n, id, 1)));
	expect(items).toMatchObject([
		[{ event: 'linkCreated', id: created.links[0].id, title: 'New', shorturl: created.links[0].shorturl }],
		[{ event: 'linkClicked', id: link.id, title: 'Sale', previousClicks: 8, newClicks: 10_000_000 }],
		[{ event: 'linkClickThreshold', id: link.id, threshold: 10_000_000 }],
		[{ event: 'qrCodeCreated', id: created.qrs[0].id, name: 'Flyer' }],
		[{ event: 'qrCodeScanned', id: qr.id, name: 'Poster', previousScans: 95, newScans: 110 }],
		// Of the multiples that it passed, the highest.
		[{ event: 'qrCodeScanThreshold', id: qr.id, threshold: 200 }],
	]);
	for (const id of ids) await n8n.deactivate(id);
	for (const id of ids) expect(await reported(n8n, id)).toHaveLength(1);
	expect(await sandbox.violations()).toEqual([]);
});
