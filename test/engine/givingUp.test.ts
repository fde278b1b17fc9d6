/** When the node gives up: after some tries, at once, or because it is told to stop. In no dialect otherwise than in another. */
import { CONTINUE } from './account';
import { answered } from './answered';
import { skippingWaits } from './clock';
import { by, outcomeOf, start, workflowOf, type Execution } from './host';
import { serve } from './serve';
import { createLink, credential, getAccount, openService, rowsOf, run, sandbox } from './service';

skippingWaits();
openService({ records: { links: 0 }, limit: { requests: 400 } });

describe('a read', () => {
	test('fails after three more tries, with what happened and what to do', async () => {
		await sandbox.setFaults([{ kind: 'status', status: 500, message: 'Down for maintenance' }]);
		const { error } = await run(getAccount);
		expect(error?.message).toContain('Down for maintenance');
		expect(await sandbox.requests()).toHaveLength(4);
	});
});

test('a host of which a word is a word of n8n about forbidden hosts is one like any other', async () => {
	const hosts = ['blocked.invalid', 'restricted-host.invalid'];
	const outcomes = await Promise.all(
		hosts.map(async (host) => await run(getAccount, { credential: credential({ baseUrl: `http://${host}` }) })),
	);
	for (const { error } of outcomes) expect(error?.message).toBe('The service was not found: no host has this name');
});

describe('stopping', () => {
	/** Starts a run, and stops it when so many links have been made. @returns how many there are when the run has ended */
	async function stopAfter(execution: Execution, links: number): Promise<number> {
		let hasEnded = false;
		const end = () => (hasEnded = true);
		execution.finished.then(end, end);
		// An engine that gives up at a row by itself may make none.
		await answered(sandbox, links, () => hasEnded);
		execution.stop();
		await outcomeOf(execution).catch(() => undefined);
		return (await sandbox.stats()).created.links;
	}

	test('ends every wait, and no request follows', async () => {
		await sandbox.setLimit({ requests: 5, windowMs: 3000, begin: 'firstRequest' });
		const workflow = workflowOf(createLink, { credential: credential(), rows: rowsOf(500) });
		expect(await stopAfter(start(workflow, credential()), 5)).toBeLessThan(500);
		const creations = async () => (await sandbox.requests()).filter(({ method }) => method === 'POST').length;
		const before = await creations();
		// Who waits for the same window now has it to himself.
		expect((await run(getAccount)).error).toBeUndefined();
		expect(await creations()).toBe(before);
	});

	test('ends the waits also where the engine has failed the first row by itself, under On Error → Continue', async () => {
		await sandbox.setLimit({ requests: 5, windowMs: 30_000, begin: 'firstRequest' });
		const url = "={{ $json.alias === 'row-0' ? (() => { throw new Error('no address') })() : $json.url }}";
		const workflow = workflowOf({ ...createLink, url }, { credential: credential(), rows: rowsOf(50), node: CONTINUE });
		// A wait that outlives the run takes the next window, too.
		expect(await stopAfter(start(workflow, credential()), 5)).toBeLessThanOrEqual(5);
	});

	const download = { resource: 'qrCode', operation: 'download', qrCodeId: by('id', '1') };

	test.each([
		['a service', createLink, '/api/url/add'],
		['the server of a picture', download, '/picture'],
	])('%s that does not answer is let go of at once', async (_what, parameters, path) => {
		let isClosed = false;
		let hasCome = () => undefined as void;
		const came = new Promise<void>((resolve) => (hasCome = resolve));
		const baseUrl: string = await serve((request, response) => {
			if (request.url === path) {
				request.socket.once('close', () => (isClosed = true));
				hasCome();
			} else response.end(JSON.stringify({ error: 0, details: { id: 1, link: `${baseUrl}/picture` } }));
		});
		const silent = { ...credential(), baseUrl };
		const execution = start(workflowOf(parameters, { credential: silent, rows: rowsOf(1) }), silent);
		await came;
		execution.stop();
		await outcomeOf(execution).catch(() => undefined);
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(isClosed).toBe(true);
	});
});
