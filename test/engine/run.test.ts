/** A run over many rows: what it tells of itself, what its items hold besides, and that n8n answers meanwhile. */
import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import { type Sandbox } from '../sandbox';
import { freshSandbox } from '../sandbox/fresh';
import { answered } from './answered';
import { by, itemsOf, outcomeOf, run, start, workflowOf, type Outcome, type Setting } from './host';

let sandbox: Sandbox;

freshSandbox({ limit: { requests: null } }, (started) => (sandbox = started));

afterEach(async () => {
	await sandbox.setLimit({ requests: null });
});

function setting(more: Partial<Setting> = {}): Setting {
	return { credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey }, ...more };
}

const sheet = (count: number) =>
	Array.from({ length: count }, (_, row) => ({ row, url: `https://example.com/${row}`, alias: `row-${row}` }));
const create = {
	resource: 'link',
	operation: 'create',
	url: '={{ $json.url }}',
	linkFields: { custom: '={{ $json.alias }}' },
};
const upsert = { resource: 'link', operation: 'upsert' };

/** What the output panel says above the items. */
function hintsOf({ run: { data } }: Outcome): string[] {
	const [task] = data.resultData.runData.Links as Array<{ hints?: NodeExecutionHint[] }>;
	return (task.hints ?? []).map(({ message }) => message);
}

describe('the output panel says what was done', () => {
	test('of Create or Update, and of its dry run', async () => {
		await run(upsert, setting({ rows: sheet(3) }));
		const rows = [...sheet(5), { alias: 'none' }].map((row, at) => (at === 2 ? { ...row, title: 'New' } : row));
		const told = '2 created, 1 updated, 2 unchanged, 1 failed.';
		const node = { onError: 'continueRegularOutput' as const };
		const planned = await run({ ...upsert, options: { dryRun: true } }, setting({ rows, node }));
		const columns = 'Columns taken: url, alias. Columns left alone: row.';
		expect(hintsOf(planned)).toEqual([columns, `Dry run, nothing was changed: ${told}`]);
		expect(hintsOf(await run(upsert, setting({ rows, node })))).toEqual([columns, told]);
	});

	test('of other operations, and how long the rate limit was waited for', async () => {
		expect(hintsOf(await run(create, setting({ rows: sheet(2) })))).toEqual(['2 created.']);
		const remove = {
			resource: 'link',
			operation: 'delete',
			linkId: by('shortUrl', `=${sandbox.url}/{{ $json.alias }}`),
		};
		await sandbox.setLimit({ requests: 1, windowMs: 3_000 });
		expect(hintsOf(await run(remove, setting({ rows: sheet(2) })))).toEqual([
			expect.stringMatching(/^2 deleted\. The rate limit was waited for \d+ s\.$/),
		]);
	});

	test('nothing of a single row', async () => {
		expect(hintsOf(await run(create, setting({ rows: sheet(1) })))).toEqual([]);
	});
});

describe('Include Input Fields', () => {
	const options = { includeInput: true };

	test('keeps the row, and gives the result the name of the resource', async () => {
		const rows = sheet(2);
		const made = await itemsOf({ ...create, options }, setting({ rows }));
		expect(made).toEqual(
			rows.map((row) => ({ ...row, link: expect.objectContaining({ shorturl: `${sandbox.url}/${row.alias}` }) })),
		);
		const id = (made[0].link as IDataObject).id as number;
		const found = { resource: 'link', operation: 'get', linkId: by('id', '={{ $json.id }}'), options };
		expect(await itemsOf(found, setting({ rows: [{ id, link: 'a column of its own' }] }))).toEqual([
			{ id, link: 'a column of its own', linkResult: expect.objectContaining({ longurl: 'https://example.com/0' }) },
		]);
	});

	test('leaves failed rows what they are', async () => {
		const node = { onError: 'continueRegularOutput' as const };
		const [failed] = await itemsOf({ ...create, options }, setting({ rows: [{ url: 'nowhere' }], node }));
		expect(failed).toEqual({ error: expect.stringContaining('is not a web address'), url: 'nowhere' });
	});
});

test('a credential that can not be used ends the run before anything is sent, whichever row it is of', async () => {
	const rows = [sandbox.url, sandbox.url, ''].map((service) => ({ service, url: 'https://example.com/' }));
	const credential = { baseUrl: '={{ $json.service }}', apiKey: sandbox.apiKey };
	const { error } = await run(create, { credential, rows });
	expect(error?.message).toContain('has no Base URL');
	expect(await sandbox.requests()).toEqual([]);
});

test('n8n does other things while rows with many expressions are read', async () => {
	const values = Array.from({ length: 71 }, (_, at) => ({ name: `p${at}`, value: `={{ $json.url + '?${at}' }}` }));
	// The last row is bad input, so that the run ends when all are read.
	const rows = [...sheet(40), { url: 'nowhere' }];
	const reading = { ...create, linkFields: { parameters: { values } } };
	/** How often others have their turn while these rows are read. */
	const turns = async (sent: IDataObject[]): Promise<number> => {
		let count = 0;
		let isOver = false;
		const tick = () => {
			count++;
			if (!isOver) setImmediate(tick);
		};
		tick();
		const { error } = await run(reading, setting({ rows: sent }));
		isOver = true;
		expect(error?.message).toMatch(/is not a web address/);
		return count;
	};
	const ofOne = await turns(rows.slice(-1));
	expect(await turns(rows)).toBeGreaterThan(ofOne + 10);
});

test('a run that the user stops says how many rows were done', async () => {
	await sandbox.setLimit({ requests: 3, windowMs: 60_000 });
	const { credential } = setting();
	const execution = start(workflowOf(create, setting({ rows: sheet(10) })), credential);
	await answered(sandbox, 3);
	execution.stop();
	const { error } = await outcomeOf(execution);
	expect(`${error?.message} ${error?.description}`).toMatch(/stopped.* 3 of 10 rows were done all the same/);
});
