/** Rows of one run or one execution that mean the same link and say different things, and rows that can't be done at all. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { DIALECTS, type StoredLink } from '../sandbox';
import { actions, CONTINUE, openAccount, upsertOf, WAYS, type Way } from './account';
import { quickTime } from './clock';
import { by } from './host';
import { rowsOf } from './service';

quickTime(5);

const account = openAccount();

const row = (alias: string, title: string): IDataObject => ({ alias, url: `https://example.com/${alias}`, title });

const SHEET = [row('one', 'first'), row('two', 'two'), row('three', 'three'), row('one', 'second')];

/** Ways in which all rows are known before anything is sent. */
const PLANNED: Way[] = ['at once', 'in batches', 'in three tries'];
const PASSED = '2020-05-01 00:00:00';

const SAYS_ELSE = /means the same link as item 0.*says something else: .*Title/;

describe.each(DIALECTS)('in the dialect of the %s', (dialect) => {
	/** The links of the sheet as it stands there, with the first row's say. */
	const there = SHEET.slice(0, 3).map(({ alias, url, title }) => ({
		alias: String(alias),
		longurl: String(url),
		title: String(title),
	}));

	describe.each([
		['are there', there],
		['are new', []],
	])('rows whose links %s', (_which, links) => {
		test.each(WAYS)('fail where they contradict an earlier one, and the others are done, %s', async (way) => {
			await account.has(dialect, { links });
			const work = await account.upsert(SHEET, {}, CONTINUE, way);
			const action = links.length > 0 ? 'unchanged' : 'created';
			expect(work.error).toBeUndefined();
			expect(actions(work)).toEqual([action, action, action, expect.stringMatching(/means the same link as/)]);
			const after = await account.links();
			expect(Object.keys(after).sort()).toEqual(['one', 'three', 'two']);
			expect(after.one.title).toBe('first');
		});

		test.each(PLANNED)('send nothing where the run ends at errors, %s', async (way) => {
			await account.has(dialect, { links });
			const { items, error } = await account.upsert(SHEET, {}, {}, way);
			expect(error?.message).toMatch(SAYS_ELSE);
			expect(items).toEqual([]);
			expect(await account.changes()).toEqual([]);
		});
	});

	test('rows of later rounds fail where they contradict one whose link was made without an ID', async () => {
		await account.has(dialect, { deviations: { createReply: 'shorturl' } });
		const work = await account.upsert(SHEET, {}, CONTINUE, 'in a loop');
		expect(actions(work)).toEqual(['created', 'created', 'created', expect.stringMatching(/means the same link as/)]);
		expect((await account.links()).one.title).toBe('first');
	});

	/** Each is found before anything is sent, wherever it stands. */
	const BAD: Array<[string, IDataObject, IDataObject, RegExp]> = [
		['without a long URL, for a link that is not there', { alias: 'nowhere' }, {}, /Long URL is empty/],
		[
			'with deep links and without device targets',
			row('deep', 'deep'),
			{ deeplink: { value: { auto: '={{ $json.alias === "deep" }}' } } },
			/Deep Link.*Device|Device.*Deep Link/i,
		],
		['whose campaign nobody has', { ...row('sold', 'sold'), campaign: 'Nobody' }, {}, /no campaign named "Nobody"/],
		['whose expiry has passed, for a link with another', { ...row('three', 'three'), expiry: PASSED }, {}, /Expir/],
	];

	describe.each(BAD)('a row %s', (_which, bad, fields, message) => {
		const rows = [row('one', 'first'), row('two', 'two'), bad];
		const holding = { campaigns: [{ name: 'Somebody' }], links: there.slice(2) };

		test.each(PLANNED)('stops the run before anything is sent, %s', async (way) => {
			await account.has(dialect, holding);
			for (const dryRun of [true, false]) {
				const { items, error } = await account.work(upsertOf({ dryRun }, fields), rows, way);
				expect(`${error?.message} ${error?.description}`).toMatch(message);
				expect(items).toEqual([]);
			}
			expect(await account.changes()).toEqual([]);
		});

		test.each(WAYS)('fails alone under On Error → Continue, also in a dry run, %s', async (way) => {
			await account.has(dialect, holding);
			for (const dryRun of [true, false]) {
				const work = await account.work(upsertOf({ dryRun }, fields), rows, way, CONTINUE);
				expect(actions(work)).toEqual(['created', 'created', expect.stringMatching(/^error: /)]);
			}
			expect(Object.keys(await account.links()).sort()).toEqual(['one', 'three', 'two']);
		});
	});

	test.each(WAYS)('rows without a long URL fail, also where another one makes their link, %s', async (way) => {
		await account.has(dialect);
		const later = { alias: 'later', url: 'https://example.com/later' };
		for (const dryRun of [true, false]) {
			const rows = [{ alias: 'nowhere' }, { alias: 'nowhere' }, { alias: 'later' }, later];
			const failed = expect.stringMatching(/^error: .*URL/) as string;
			expect(actions(await account.upsert(rows, { dryRun }, CONTINUE, way))).toEqual([
				failed,
				failed,
				failed,
				'created',
			]);
		}
	});

	test.each([1, 2, 40])('an expiry that has passed is no error where the link is there: %d rows', async (count) => {
		const links = rowsOf(count).map(({ alias, url: longurl }) => ({ alias, longurl, expiry: PASSED, title: 'Old' }));
		await account.has(dialect, { links });
		const rows = rowsOf(count, { expiry: PASSED });
		const unchanged = rows.map(() => 'unchanged');
		for (const dryRun of [true, false]) {
			const work = await account.upsert(rows, { dryRun });
			expect(work.error).toBeUndefined();
			expect(actions(work)).toEqual(unchanged);
		}
		const fresh = await account.upsert([...rows, { ...rows[0], alias: 'fresh' }], {}, CONTINUE);
		expect(actions(fresh)).toEqual([...unchanged, expect.stringMatching(/Expir/)]);
		expect(await account.changes()).toEqual([]);
	});

	test.each(WAYS)("a row that can't be done keeps no later row of its link from being done, %s", async (way) => {
		await account.has(dialect);
		const rows = [{ ...row('one', 'first'), expiry: PASSED }, row('two', 'two'), row('one', 'second')];
		for (const dryRun of [true, false]) {
			const work = await account.upsert(rows, { dryRun }, CONTINUE, way);
			expect(actions(work)).toEqual([expect.stringMatching(/Expir/), 'created', 'created']);
		}
		expect((await account.links()).one.title).toBe('second');
	});

	test('a run that has failed says so at once, and waits for no interval of Batching', async () => {
		await account.has(dialect);
		await account.sandbox.setFaults([{ kind: 'errorEnvelope', match: { method: 'POST' }, message: 'Not today' }]);
		const batching = { requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 10_000 } } } };
		const began = Date.now();
		const { error } = await account.work({ ...upsertOf(), ...batching }, SHEET.slice(0, 3));
		await account.sandbox.clearFaults();
		expect(error?.message).toContain('Not today');
		expect(Date.now() - began).toBeLessThan(8_000);
		expect(await account.changes()).toHaveLength(1);
	});

	test('three tries keep no reading that has failed', async () => {
		await account.has(dialect, { campaigns: [{ id: 5, name: 'Somebody' }] });
		// A reading is tried four times before it fails.
		await account.sandbox.setFaults([
			{ kind: 'status', status: 500, body: 'html', match: { path: '^/api/campaigns' }, times: 4 },
		]);
		// Its name is required by the service, and read from the list.
		const update = { resource: 'campaign', operation: 'update', campaignId: by('id', '5'), name: '' };
		const campaignFields = { public: true };
		const { items, error } = await account.work({ ...update, campaignFields }, [{}], 'in three tries');
		await account.sandbox.clearFaults();
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(await account.sandbox.records('campaigns')).toMatchObject([{ id: 5, name: 'Somebody', public: true }]);
	});

	describe('with Match On → Long URL, an alias is given to one link', () => {
		const address = (at: number) => `https://example.com/${at}`;
		const [one, two] = [0, 1].map((at) => ({ alias: 'ab'[at], longurl: address(at) }));

		test.each<[string, Array<Partial<StoredLink>>, IDataObject[], unknown[]]>([
			['that has it', [one, two], [{ url: address(0), alias: 'b' }], [/belongs to another link: .*\/b \(ID \d+\)/]],
			['that has it, and to no new one', [two], [{ url: address(0), alias: 'b' }], [/belongs to another link/]],
			[
				'that gives it up in an earlier row',
				[one, two],
				[
					{ url: address(1), alias: 'c' },
					{ url: address(0), alias: 'b' },
				],
				['updated', 'updated'],
			],
			[
				'that an earlier row gives it to',
				[one],
				[
					{ url: address(0), alias: 'c' },
					{ url: address(1), alias: 'c' },
				],
				['updated', /is asked for by item 0 too/],
			],
			[
				'that an earlier row gives it to, which waits for another',
				[one],
				[
					{ url: address(0), title: 'T' },
					{ url: address(0), alias: 'c' },
					{ url: address(1), alias: 'c' },
				],
				['updated', 'updated', /is asked for by item 1 too/],
			],
		])('%s', async (_what, links, rows, expected) => {
			for (const dryRun of [true, false]) {
				await account.has(dialect, { links });
				const work = await account.upsert(rows, { matchOn: 'url', dryRun }, CONTINUE);
				const said = expected.map((one) => (one instanceof RegExp ? (expect.stringMatching(one) as unknown) : one));
				expect(actions(work)).toEqual(said);
			}
		});

		test('whatever the rows: a dry run says what the run comes to', async () => {
			const domain = fc.constantFrom('', '', 'https://go.example.com');
			const alias = fc.constantFrom('', 'a', 'b', 'c', 'd');
			const url = fc.nat(2).map(address);
			const sheet = fc.array(fc.record({ url, alias, domain, title: fc.constantFrom('Old', 'New') }), {
				minLength: 1,
				maxLength: 4,
			});
			const holding = fc
				.subarray([0, 1, 2])
				.chain((there) => fc.tuple(...there.map((at) => fc.tuple(fc.constant(at), domain))));
			await fc.assert(
				fc.asyncProperty(holding, sheet, fc.constantFrom(...PLANNED), async (there, rows, way) => {
					const links = there.map(([at, on]) => ({ alias: 'abc'[at], longurl: address(at), title: 'Old', domain: on }));
					// A service that gives the link which an address has already is known as such by its answers alone.
					const deviations = { knownLongUrl: 'new' as const };
					await account.has(dialect, { links, domains: ['https://go.example.com'], deviations });
					const outcome = async (dryRun: boolean) =>
						actions(await account.upsert(rows, { matchOn: 'url', dryRun }, CONTINUE, way));
					const planned = await outcome(true);
					expect(await account.changes()).toEqual([]);
					expect(await outcome(false)).toEqual(planned);
				}),
				{ numRuns: Number(process.env.FUZZ_RUNS ?? 30) },
			);
		});
	});
});
