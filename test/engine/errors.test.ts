/** What the service refuses: said with its own words, for the row it belongs to, and without harm to the others. */
import type { IDataObject } from 'n8n-workflow';

import { isFailed } from '../failed';
import { CONTINUE, TRIES } from './account';
import { by, type NodeSettings } from './host';
import { createLink, credential, getAccount, itemsOf, openService, rowsOf, run, sandbox } from './service';

openService();

const POST = { method: 'POST' };
/** The service refuses a creation that comes after so many, and takes it the next time. */
const refuseOnce = async (after: number) =>
	await sandbox.setFaults([{ kind: 'errorEnvelope', message: 'Not now.', match: POST, after, times: 1 }]);

describe('an error envelope is an error with the message of the service', () => {
	test.each([
		[200, 1],
		[403, '1'],
		[422, true],
	])('at HTTP status %d, with error = %j', async (status, flag) => {
		await sandbox.setFaults([{ kind: 'errorEnvelope', status, error: flag, message: 'The plan has ended.' }]);
		const { items, error } = await run(getAccount);
		expect(items).toEqual([]);
		expect(error).toMatchObject({ message: 'The service says "The plan has ended"', httpCode: String(status) });
		expect(error?.description).toMatch(/^(?:Check|The plan may not)/);
		expect(error?.context?.itemIndex).toBeUndefined();
		expect(await sandbox.requests()).toHaveLength(1);
	});

	test('or one that says that there is none', async () => {
		await sandbox.setFaults([{ kind: 'errorEnvelope', message: '', status: 422 }]);
		expect((await run(getAccount)).error?.message).toMatch(/without saying why \(HTTP 422\)/);
	});
});

describe('what a run has done comes out, whatever can not be said of it', () => {
	const byHand = {
		resource: 'link',
		operation: 'upsert',
		columns: {
			mappingMode: 'defineBelow',
			value: { url: '={{ $json.url }}', expiry: '={{ $json.ends.toDateTime() }}' },
		},
	};

	test('where an expression fails in the first row alone', async () => {
		const rows = [
			{ url: 'https://example.com/0', ends: 'soon' },
			{ url: 'https://example.com/1', ends: '2031-01-01' },
			{ url: 'https://example.com/2', ends: '2031-01-01' },
		];
		for (const action of ['created', 'unchanged']) {
			const { items, error } = await run(byHand, { rows, node: CONTINUE });
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json.action)).toEqual(['failed', action, action]);
		}
		expect((await sandbox.stats()).created.links).toBe(2);
	});

	test('where Request Options fail in a row that is not the first', async () => {
		const requestOptions = { timeout: '={{ $json.pause.toDateTime() && 5000 }}' };
		const rows = rowsOf(3).map((row, at) => ({ ...row, pause: at === 1 ? 'soon' : '2031-01-01' }));
		const { items } = await run({ ...createLink, requestOptions }, { rows, node: CONTINUE });
		expect(items.map(({ json }) => json.alias)).toEqual(rows.map(({ alias }) => alias));
	});
});

test('what services and sheets write is text where n8n renders HTML, and turns no line around', async () => {
	const message = 'See <a href="https://evil.example">here</a> or <your-shop>.example.com?a=1&copy=2 \u202eevil\u0007';
	await sandbox.setFaults([{ kind: 'errorEnvelope', message, match: POST }]);
	const plain =
		'The service says "See <a href=\'https://evil.example\'>here</a> or <your-shop>.example.com?a=1&copy=2 evil "';
	const ended = await run(createLink, { rows: rowsOf(1) });
	// A bracket that begins no tag, for the note that pops up renders HTML.
	expect(ended.error?.message).toBe(plain.replace(/<(?=[a-z/])/g, '<\u200b'));
	const outcome = await run(createLink, { rows: rowsOf(2), node: CONTINUE });
	expect(String(outcome.items[0].json.error)).toContain(plain);
	for (const sign of ['\u202e', '\u0007']) expect(outcome.items[0].json.error).not.toContain(sign);
	const rows = [
		{ url: '<h1>x', alias: 'a' },
		{ url: 'https://example.com', alias: '<img> y' },
	];
	const { error } = await run(createLink, { rows });
	expect(error?.description).not.toMatch(/<(?!br>)\w/);
	expect(error?.description).toContain('&lt;img&gt;');
});

describe('a problem with the key points to the credential', () => {
	test.each([200, 401, 403])('at HTTP status %d, wrong or expired', async (authStatus) => {
		await sandbox.configure({ deviations: { authStatus }, expiredKeys: ['expired-key-1234'] });
		for (const apiKey of ['wrong-key-1234', 'expired-key-1234']) {
			const { error } = await run(getAccount, { credential: credential({ apiKey }) });
			expect(error?.description).toContain('API Key in the Link Management API credential');
		}
	});

	test.each<[rights: string, parameters: IDataObject, path: string]>([
		['link', { resource: 'channel', operation: 'getAll' }, '/api/channels'],
		['link', { resource: 'qrCode', operation: 'get', qrCodeId: by('id', 3) }, '/api/qr/3'],
		['link', getAccount, '/api/account'],
		['campaign', { ...createLink, url: 'https://example.com' }, '/api/url/add'],
	])('a key with a right for %s alone is not called wrong: %j may not use %s', async (rights, parameters, path) => {
		await sandbox.configure({ deviations: { rights: rights as 'link' } });
		const { error } = await run(parameters);
		expect(error?.message).toBe(`The API Key does not have the right to use ${path}`);
		expect(error?.description).toMatch(
			/^Add this right to the key .* It says "You do not have access to this endpoint/,
		);
	});

	test('a key with a right for links alone keeps a sheet', async () => {
		await sandbox.configure({ deviations: { rights: 'link' } });
		const rows = rowsOf(12);
		const upsert = { resource: 'link', operation: 'upsert' };
		for (const action of ['created', 'unchanged'])
			expect((await itemsOf(upsert, { rows })).map((item) => item.action)).toEqual(rows.map(() => action));
	});

	test('another problem does not', async () => {
		const { error } = await run({ resource: 'link', operation: 'get', linkId: by('id', 999) });
		expect(error?.message).toBe('There is no short link with the ID 999');
		expect(error?.description).toContain('Link does not exist');
		expect(error?.description).not.toContain('API Key');
	});

	test('a refusal that is none of a missing record is not taken for one', async () => {
		await sandbox.setFaults([{ kind: 'errorEnvelope', status: 409, message: 'The link is being moved.' }]);
		const { error } = await run({ resource: 'link', operation: 'get', linkId: by('id', 999) });
		expect(error?.message).toBe('The service says "The link is being moved"');
		expect(error?.description).toContain('the ID 999');
	});
});

const sheet = [
	{ row: 'first', url: 'https://example.com/1', alias: 'one' },
	{ row: 'second', url: 'https://example.com/2', alias: 'taken' },
	{ row: 'third', url: 'nowhere', alias: 'three' },
	{ row: 'last', url: 'https://example.com/4', alias: 'four' },
];
const refusal = 'That alias is taken. Please choose another one';
const taken = `The service says "${refusal}"`;
/** What a failed row says: what happened, and what to do; of no item, for it is the item. */
const TAKEN =
	/^The service says "That alias is taken\. Please choose another one"\. .* asked for the alias "taken"\. .* the operation Create or Update [^[\]]*$/;

async function takeAlias(): Promise<void> {
	await sandbox.createRecords({ links: [{ alias: 'taken', longurl: 'https://example.com/elsewhere' }] });
}

/** The aliases of the links that were made of rows. */
async function madeOfRows(): Promise<string[]> {
	return (await sandbox.links()).map(({ alias }) => alias).filter((alias) => alias.startsWith('row-'));
}

describe('On Error', () => {
	const madeOf = ({ url, alias }: (typeof sheet)[number]) => ({
		id: expect.any(Number) as number,
		shorturl: `${sandbox.url}/${alias}`,
		alias,
		longurl: url,
	});
	const said = () => [
		madeOf(sheet[0]),
		{ ...sheet[1], error: expect.stringMatching(TAKEN) as string },
		{ ...sheet[2], error: expect.stringContaining('is not a web address') as string },
		madeOf(sheet[3]),
	];

	test('Continue: the failed rows come out with their own JSON and the error, the others are done', async () => {
		await takeAlias();
		const { items, error, run: execution } = await run(createLink, { rows: sheet, node: CONTINUE });
		expect(error).toBeUndefined();
		expect(items).toMatchObject(said().map((json, item) => ({ json, pairedItem: { item } })));
		expect(items.map(({ json }) => json)).toEqual(said());
		expect(execution.data.resultData.runData.Done[0].data?.main[0]).toHaveLength(4);
	});

	test('Continue: a failed list leaves its row', async () => {
		const { items } = await run(
			{ resource: 'channel', operation: 'getItems', channelId: by('id', '={{ $json.channel }}'), returnAll: true },
			{ rows: [{ channel: 999 }], node: CONTINUE },
		);
		const error = expect.stringMatching(/^The service says "Channel does not exist"\. ./) as string;
		expect(items).toMatchObject([{ json: { channel: 999, error }, pairedItem: { item: 0 } }]);
	});

	const errorOutput: NodeSettings = { onError: 'continueErrorOutput' };

	test('Continue (using error output): failed rows leave by it, with their JSON and the error', async () => {
		await takeAlias();
		const { items, failed, error } = await run(createLink, { rows: sheet, node: errorOutput });
		expect(error).toBeUndefined();
		const [first, second, third, fourth] = said();
		expect(items.map(({ json }) => json)).toEqual([first, fourth]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 3 }]);
		expect(failed.map(({ json }) => json)).toEqual([second, third]);
		expect(failed.map(({ pairedItem }) => pairedItem)).toMatchObject([{ item: 1 }, { item: 2 }]);
	});

	test.each<[IDataObject, number]>([
		[{ resource: 'link', operation: 'getAll', limit: 5 }, 5],
		[{ resource: 'account', operation: 'update', accountFields: { email: 'a@example.com' } }, 1],
	])('no record of a service leaves by the error output, whatever fields it has: %j', async (parameters, count) => {
		const { items, failed } = await run(parameters, { node: errorOutput });
		expect([items.length, failed.length]).toEqual([count, 0]);
	});
});

describe('without Continue', () => {
	test('the first refusal ends the run, and names its row', async () => {
		await takeAlias();
		const good = sheet.filter(({ url }) => url !== 'nowhere');
		const { items, error, run: execution } = await run(createLink, { rows: good });
		expect(execution.status).toBe('error');
		expect(items).toEqual([]);
		expect(error?.message).toBe(`${taken} [row 2 of 3]`);
		expect(error?.description).toMatch(/set Settings → On Error to Continue\.$/);
	});

	test.each([
		['by its place', 1, () => ({})],
		['by its number', 2, (at: number) => ({ row_number: at + 2 })],
	])(
		'an error that ends the run says which rows were done besides, each %s, and how to go on',
		async (_, from, more) => {
			await takeAlias();
			// Of a service that never answered, the first row would go alone.
			await run(getAccount);
			const rows: IDataObject[] = rowsOf(10).map((row, at) => ({ ...row, ...more(at) }));
			rows[0].alias = 'taken';
			const { error } = await run(createLink, { rows });
			const done = (await madeOfRows()).map((alias) => Number(alias.slice(4)) + from);
			expect(done.length).toBeGreaterThan(0);
			const which = done.length === 1 ? `row ${done[0]}` : `rows ${Math.min(...done)} to ${Math.max(...done)}`;
			expect(error?.description).toContain(`${done.length} of 10 rows are already processed (${which}). To run again`);
			expect(error?.description).toContain('use the operation Create or Update');
			// As advised: the row that was refused is mended, and nothing is made twice.
			rows[0].alias = 'row-0';
			const again = await itemsOf({ resource: 'link', operation: 'upsert' }, { rows });
			expect(again.map(({ alias }) => alias)).toEqual(rows.map(({ alias }) => alias));
			expect(await madeOfRows()).toHaveLength(10);
		},
	);

	test('Create or Update can be run again as it is', async () => {
		const upsert = { resource: 'link', operation: 'upsert' };
		await refuseOnce(3);
		const { error } = await run(upsert, { rows: rowsOf(5) });
		expect(error?.description).toContain('You can run it again as it is');
		const items = await itemsOf(upsert, { rows: rowsOf(5) });
		expect(items.map(({ alias }) => alias)).toEqual(rowsOf(5).map(({ alias }) => alias));
		expect(await madeOfRows()).toHaveLength(5);
	});
});

test('Retry On Fail runs a node once whose first row has a column error, and went well', async () => {
	const rows = rowsOf(2).map((row) => ({ ...row, error: 'of yesterday' }));
	const { items, run: whole } = await run({ ...createLink, options: { includeInput: true } }, { rows, node: TRIES });
	expect(items.map(({ json }) => [json.alias, json.error, json.error2])).toEqual(
		rows.map(({ alias }) => [alias, undefined, 'of yesterday']),
	);
	expect(await sandbox.requests()).toHaveLength(2);
	expect(whole.data.resultData.runData.Links[0].hints).toHaveLength(1);
});

test('a link is not lost whose creation is answered by something that can not be taken in', async () => {
	const deep = `{"error":0,"x":${'['.repeat(5000)}${']'.repeat(5000)}}`;
	for (const text of [deep, '{}', '[]', '{"error":0}']) {
		await sandbox.setFaults([{ kind: 'answer', text, workDone: true, match: POST, times: 1 }]);
		const [item] = await itemsOf(createLink, { rows: [{ url: 'https://example.com', alias: `made-${text.length}` }] });
		expect(item).toMatchObject({ alias: `made-${text.length}`, id: expect.any(Number) });
	}
	// Each is looked up, since the newest links may be many.
	const asked = (await sandbox.requests()).map(({ query }) => query.short).filter(Boolean);
	expect(asked).toContain(`${sandbox.url}/made-${deep.length}`);
	expect(asked).toHaveLength(4);
});

test('a link whose creation has lost its answer, and which can not be looked for, is an error that says so', async () => {
	await sandbox.setFaults([
		{ kind: 'dropAfter', match: POST, times: 1 },
		{ kind: 'errorEnvelope', message: 'Not now.', match: { method: 'GET' } },
	]);
	const { error } = await run(createLink, { rows: rowsOf(1) });
	expect(error?.message).toMatch(/^The service closed the connection.*may have been created anyway/);
	expect(await madeOfRows()).toEqual(['row-0']);
});

test.each([true, false])('a deletion that is answered by nothing is looked at; done: %s', async (workDone) => {
	const [{ id }] = (await sandbox.createRecords({ links: 1 })).links;
	await sandbox.setFaults([{ kind: 'answer', text: '{}', workDone, match: { method: 'DELETE' }, times: 1 }]);
	const { items, error } = await run({ resource: 'link', operation: 'delete', linkId: by('id', id) });
	if (workDone) expect(items[0].json).toMatchObject({ deleted: true, id });
	else expect(error?.message).toMatch(/does not say whether|It may have been deleted anyway/);
});

test('an update that is always answered by nothing may have been made, and its error says so', async () => {
	const [{ id }] = (await sandbox.createRecords({ links: 1 })).links;
	await sandbox.setFaults([{ kind: 'answer', text: '{"data":null}', match: { method: 'PUT' } }]);
	const linkFields = { description: 'New' };
	const { error } = await run({ resource: 'link', operation: 'update', linkId: by('id', id), linkFields });
	expect(error?.message).toMatch(/The change may have been made anyway/);
});

describe('Retry On Fail', () => {
	const many = rowsOf(20);

	test.each<[string, NodeSettings, number]>([
		['Stop', {}, 0],
		['Continue', CONTINUE, 0],
		['Continue', CONTINUE, 7],
		['Continue (using error output)', { onError: 'continueErrorOutput' }, 0],
	])('under On Error → %s no row is created twice when one is refused for good (%#)', async (_name, node, bad) => {
		await takeAlias();
		const rows = many.map((row, index) => (index === bad ? { ...row, alias: 'taken' } : row));
		const { items, failed } = await run(createLink, { rows, node: { ...TRIES, ...node } });
		const made = await madeOfRows();
		expect(new Set(made).size).toBe(made.length);
		if (node.onError === undefined) return;
		expect(made).toHaveLength(19);
		expect([...items, ...failed]).toHaveLength(20);
		expect([...items, ...failed].filter(({ json }) => isFailed(json))).toHaveLength(1);
	});

	test.each([
		['rows whose fields are others at each try', many, { description: '={{ $now.toMillis() }} {{ Math.random() }}' }],
		['rows that are alike', Array(3).fill({ url: 'https://example.com/same' }) as IDataObject[], {}],
	])('of a run that has changed something, each try gets what the first one did: %s', async (_what, rows, more) => {
		await refuseOnce(2);
		const linkFields = { ...createLink.linkFields, ...more };
		const { error } = await run({ ...createLink, linkFields }, { rows, node: TRIES });
		expect(error?.message).toMatch(/^The service says "Not now"/);
		const sent = await sandbox.requests();
		const done = sent.filter(({ worked }) => worked).length;
		expect(error?.description).toContain(`${done} of ${rows.length} rows are already processed`);
		expect(sent).toHaveLength(done + 1);
	});

	test('a run that has changed nothing begins anew', async () => {
		const upsert = { resource: 'link', operation: 'upsert' };
		for (const parameters of [createLink, upsert]) {
			const rows = rowsOf(1, { alias: `again-${parameters.operation}` });
			await refuseOnce(0);
			expect(await itemsOf(parameters, { rows, node: TRIES })).toMatchObject([{ alias: rows[0].alias }]);
		}
	});

	test('each try shows what was done', async () => {
		const rows = many.map((row, at) => (at === 3 ? { ...row, url: 'nowhere' } : row));
		const { items, run: whole } = await run(createLink, { rows, node: { ...TRIES, ...CONTINUE } });
		expect(items.filter(({ json }) => isFailed(json))).toHaveLength(1);
		expect(await madeOfRows()).toHaveLength(19);
		const [{ hints = [] }] = whole.data.resultData.runData.Links;
		expect(hints.map(({ message }) => message)).toEqual(hints.map(() => '19 created, 1 failed.'));
	});

	test('a lost answer to a row whose fields change is not asked for by creating it again', async () => {
		const changing = { ...createLink, linkFields: { description: '={{ Math.random() }}' } };
		await sandbox.setFaults([{ kind: 'dropAfter', match: POST, times: 1 }]);
		const { error } = await run(changing, { rows: many.slice(0, 1), node: TRIES });
		expect(error?.message).toMatch(/may have been created/);
		expect((await sandbox.requests()).filter(({ method }) => method === 'POST')).toHaveLength(1);
	});
});

describe('a credential that takes its values from the item', () => {
	const byRow = () => credential({ baseUrl: '={{ $json.service }}', apiKey: '={{ $json.key }}' });
	const ofOne = () => rowsOf(4).map((row) => ({ ...row, service: sandbox.url, key: sandbox.apiKey }));

	test('is one for the run', async () => {
		expect(await itemsOf(createLink, { credential: byRow(), rows: ofOne() })).toHaveLength(4);
	});

	test.each([
		['key', { key: 'another-key' }],
		['service', { service: 'https://another.example' }],
		['empty key', { key: '' }],
	])(
		'gives several: an error that says to split the items, before anything is sent, with another %s',
		async (_what, other) => {
			const rows = ofOne().map((row, at) => (at === 2 ? { ...row, ...other } : row));
			const { error } = await run(createLink, { credential: byRow(), rows });
			expect(error?.message).toBe(
				'The credential gives row 3 of 4 another address or key than row 1 of 4. Split the items, so that each run of the node has one',
			);
			const { items } = await run(createLink, { credential: byRow(), rows, node: CONTINUE });
			expect(items.map(({ json }) => isFailed(json))).toEqual(rows.map(() => true));
			expect(JSON.stringify(items.map(({ json }) => json.error))).not.toContain('another-key');
			expect(await sandbox.requests()).toEqual([]);
		},
	);
});
