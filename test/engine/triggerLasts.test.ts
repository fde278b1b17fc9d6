/** What the trigger keeps from poll to poll in cases that are not drawn in test/life: no dialect touches them, so that this runs once. */
import { active, newQr, sandbox, scan, scannedQr } from './triggerService';

/** The clock of the machine is set. */
function clockAhead(milliseconds: number): void {
	const clock = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => clock() + milliseconds);
}

test('two triggers of one ID poll each for itself', async () => {
	const { id, host } = await scannedQr(0, { node: { name: 'One' } });
	const other = await host.again('update', { node: { name: 'Two' } });
	await scan(id, 2);
	// Until then, they share pages.
	clockAhead(31_000);
	const [first, second] = await Promise.all([host.poll(), other.poll()]);
	expect(first).toMatchObject([{ id, newScans: 2 }]);
	expect(second).toMatchObject([{ id, newScans: 2 }]);
});

test('the poll after a clock was set back reports', async () => {
	const { id, host } = await scannedQr(1, { durableCursor: true });
	const { cursor } = host;
	await host.scheduledPoll();
	clockAhead(-60 * 60_000);
	host.cursor = cursor;
	expect(await host.scheduledPoll()).toMatchObject([{ id, newScans: 1 }]);
	await scan(id, 1);
	expect(await host.scheduledPoll()).toMatchObject([{ id, previousScans: 1, newScans: 1 }]);
});

test('a copy of the trigger in another workflow is not taken for one with another key', async () => {
	const { host } = await scannedQr(1);
	await host.poll();
	const copy = await host.again('update', { workflowId: 'a copy' });
	expect([...copy.warnings, ...copy.executions]).toEqual([]);
});

test('with another event, the trigger begins afresh', async () => {
	const { id, host } = await scannedQr(8);
	await host.poll();
	const edited = await host.again('update', { parameters: { event: 'qrCodeScanThreshold', threshold: 5 } });
	expect(edited.executions).toEqual([]);
	await scan(id, 100);
	expect(await edited.poll()).toEqual([]);
	expect(edited.warnings).toEqual([]);
});

test('where all QR codes are watched in place of chosen ones, the trigger begins afresh', async () => {
	const { id: other } = await newQr();
	const { id } = await scannedQr(8);
	const host = await active({ event: 'qrCodeScanned', watch: 'selected', qrCodeIds: [id] });
	await scan(other, 2);
	const all = await host.again('update', { parameters: { event: 'qrCodeScanned' } });
	expect(all.executions).toEqual([]);
	await scan(other, 1);
	expect(await all.poll()).toMatchObject([{ id: other, previousScans: 2, newScans: 1 }]);
	expect((await sandbox.qrs()).length).toBeGreaterThan(1);
});
