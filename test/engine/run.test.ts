/** A run over many rows: what it tells of itself, and what its items hold besides. */
import { CONTINUE } from './account';
import { answered } from './answered';
import { by, hintsOf, outcomeOf, start, workflowOf } from './host';
import { createLink, credential, itemsOf, openService, rowsOf, run, sandbox } from './service';

openService();

const upsert = { resource: 'link', operation: 'upsert' };

describe('the output panel says what was done', () => {
	test('of Create or Update, and of its dry run', async () => {
		await run(upsert, { rows: rowsOf(3) });
		const all = [...rowsOf(5, { row: 1 }), { title: 'alone' }];
		const rows = all.map((row, at) => (at === 2 ? { ...row, title: 'New' } : row));
		const planned = await run({ ...upsert, options: { dryRun: true } }, { rows, node: CONTINUE });
		const columns = 'title becomes the public title of the preview. Columns ignored: row.';
		expect(hintsOf(planned)).toEqual([
			'Dry run, nothing was changed: 2 would be created, 1 would be updated, 2 unchanged, 1 would fail.',
			columns,
		]);
		expect(hintsOf(await run(upsert, { rows, node: CONTINUE }))).toEqual([
			'2 created, 1 updated, 2 unchanged, 1 failed.',
			columns,
		]);
	});

	test('of other operations', async () => {
		expect(hintsOf(await run(createLink, { rows: rowsOf(2) }))).toEqual(['2 created.']);
		const linkId = by('shortUrl', `=${sandbox.url}/{{ $json.alias }}`);
		const hints = hintsOf(await run({ resource: 'link', operation: 'delete', linkId }, { rows: rowsOf(2) }));
		expect(hints).toEqual(['2 deleted.']);
	});

	test('of QR codes', async () => {
		const fields = { name: '={{ $json.alias }}' };
		const create = { resource: 'qrCode', operation: 'create', type: 'link', data: '={{ $json.url }}' };
		expect(hintsOf(await run({ ...create, qrCodeFields: fields }, { rows: rowsOf(3) }))).toEqual(['3 created.']);
	});

	test('of columns that mean nothing', async () => {
		const rows = rowsOf(2, { 'Page Link': 'x', 'Until when': 'y', germany: '' });
		expect(hintsOf(await run(upsert, { rows: [...rows, { Note: 'z' }] }))).toEqual([
			'2 created, 1 skipped.',
			'Columns ignored: Page Link, Until when, germany, Note.',
		]);
	});

	test('of short URLs of another service', async () => {
		const rows = rowsOf(2, { shorturl: 'https://elsewhere.example/a' });
		const foreign = 'Short URLs on elsewhere.example belong to another service. They were left alone.';
		expect(hintsOf(await run(upsert, { rows }))).toEqual(['2 created.', foreign]);
	});

	test('nothing of a single row', async () => {
		expect(hintsOf(await run(createLink, { rows: rowsOf(1) }))).toEqual([]);
	});
});

describe('Include Input Fields', () => {
	const options = { includeInput: true };

	test('keeps the row, and gives the result the name of the resource', async () => {
		const rows = rowsOf(2, { row: 'kept' });
		const made = await itemsOf({ ...createLink, options }, { rows });
		expect(made).toMatchObject(rows.map((row) => ({ ...row, link: { shorturl: `${sandbox.url}/${row.alias}` } })));
		expect(Object.keys(made[0])).toEqual([...Object.keys(rows[0]), 'link']);
		const { id } = made[0].link as { id: number };
		const found = { resource: 'link', operation: 'get', linkId: by('id', '={{ $json.id }}'), options };
		const own = { id, link: 'a column of its own' };
		const result = { longurl: 'https://example.com/0' };
		const second = await itemsOf(found, { rows: [own] });
		expect(second).toMatchObject([{ ...own, link2: result }]);
		// However many of these nodes follow one another, none overwrites what those before have found.
		const third = await itemsOf(found, { rows: second });
		expect(await itemsOf(found, { rows: third })).toMatchObject([
			{ ...own, link2: result, link3: result, link4: result },
		]);
	});

	test('leaves the input as it came, a column that holds the key included, and its files come along', async () => {
		const rows = [{ ...rowsOf(1)[0], api_key: sandbox.apiKey }];
		const setting = { credential: credential(), rows };
		const workflow = workflowOf({ ...createLink, options }, setting);
		const binary = { note: { data: 'aGk=', mimeType: 'text/plain', fileName: 'note.txt' } };
		workflow.pinData!.Start[0].binary = binary;
		const { items } = await outcomeOf(start(workflow, setting.credential));
		expect(items[0].json).toMatchObject({ ...rows[0], link: { alias: rows[0].alias } });
		expect(items[0].binary).toEqual(binary);
	});

	test('leaves failed rows what they are', async () => {
		const [failed] = await itemsOf({ ...createLink, options }, { rows: [{ url: 'nowhere' }], node: CONTINUE });
		expect(failed).toEqual({ error: expect.stringContaining('is not a web address') as string, url: 'nowhere' });
	});
});

test('a credential that can not be used ends the run before anything is sent', async () => {
	const rows = ['', ''].map((service) => ({ service, url: 'https://example.com/' }));
	const { error } = await run(createLink, { credential: credential({ baseUrl: '={{ $json.service }}' }), rows });
	expect(error?.message).toContain('has no Base URL');
	expect(await sandbox.requests()).toEqual([]);
});

test('a run that the user stops says how many rows were done', async () => {
	await sandbox.setLimit({ requests: 3, windowMs: 60_000, begin: 'firstRequest' });
	const execution = start(workflowOf(createLink, { credential: credential(), rows: rowsOf(10) }), credential());
	await answered(sandbox, 3);
	execution.stop();
	const { error } = await outcomeOf(execution);
	expect(`${error?.message} ${error?.description}`).toMatch(/stopped.* 3 of 10 rows are already processed/);
});
