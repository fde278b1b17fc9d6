/**
 * Answers and items that mean harm, drawn at random: each row has an outcome in plain words, nothing is asked for beyond the service's
 * own paths, the key stands nowhere, and what is asked for next works at once. HOSTILE sets how many are drawn.
 */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { upsertOf } from '../engine/account';
import { quickTime } from '../engine/clock';
import { by, run, search, type Credential, type Outcome } from '../engine/host';
import { TriggerHost } from '../engine/pollHost';
import { openService, sandbox } from '../engine/service';
import { Account } from '../anyService/account';
import { JOBS } from '../anyService/jobs';
import { obstaclesTo } from '../anyService/obstacles';
import { AS_DOCUMENTED, drawService } from '../anyService/services';
import { EVENTS } from '../documentation/examples';
import { expectPlain } from '../fuzz/answers';
import { Random } from '../sandbox/records';
import { SEED } from '../seed';
import { hostileAnswer, hostileId, longText, OWN_NAMES } from './answers';

const COUNT = Number(process.env.HOSTILE ?? 60);

openService({ validate: false });
// For the pauses between tries.
quickTime(20);

/** All that the package may ask the service for. */
const OWN_PATH = /^\/api\/[a-z]+(?:\/(?:\d+|[a-z]+))*$/;

async function expectOwnPaths(): Promise<void> {
	const strays = (await sandbox.requests()).map(({ path }) => path).filter((path) => !OWN_PATH.test(path));
	expect(strays).toEqual([]);
}

function expectOutcomes({ items, error, saved }: Outcome, rows: number, { apiKey }: Credential): void {
	expect(saved).not.toContain(apiKey);
	expect({}).not.toHaveProperty('polluted');
	if (error !== undefined) return expectPlain(error);
	const told = new Set(items.map(({ pairedItem }) => (pairedItem as { item: number }).item));
	expect(told.size).toBe(rows);
	for (const { json } of items) if (typeof json.error === 'string') expect(json.error.length).toBeLessThan(5000);
}

/** Jobs that read, make, change, delete and list, of each kind. */
const ELEVEN = [
	...[
		'four rows by alias',
		'two rows by long URL',
		'3 rows by short URL',
		'a sheet with campaigns, some of them missing',
	],
	...['2 links updated by alias', '2 links deleted by shortUrl', '2 links read by id', '2 links assigned by longUrl'],
	...['QR codes, each once', 'campaign:update by name', 'Return All of links'],
].map((name) => {
	const job = JOBS.find((one) => one.name === name);
	if (job === undefined) throw new Error(`There is no job "${name}"`);
	return job;
});

const draws = { seed: SEED, numRuns: COUNT };

test(
	`answers that mean harm, at any place of eleven jobs: ${COUNT} from ${SEED} on`,
	async () => {
		const account = new Account(sandbox);
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...ELEVEN),
				fc.nat(),
				fc.nat(6),
				fc.constantFrom(1, 1, 40),
				hostileAnswer,
				async (job, seed, after, times, { status, text }) => {
					const drawn = drawService(new Random(seed));
					const isOpen = obstaclesTo([...job.needs, 'domains'], drawn).length === 0;
					await account.begin(isOpen ? drawn : AS_DOCUMENTED);
					const rows = await job.rows(account);
					await sandbox.clearRequests();
					await sandbox.setFaults([{ kind: 'answer', status, text, after, times }]);
					const outcome = await account.run(job.parameters, rows);
					await expectOwnPaths();
					// A list has no rows.
					if (!job.name.startsWith('Return All') || outcome.error !== undefined)
						expectOutcomes(outcome, rows.length, account.credential);
					await sandbox.clearFaults();
					const next = await run(
						{ resource: 'domain', operation: 'getAll', limit: 1 },
						{ credential: account.credential },
					);
					expect(next.error?.message).toBeUndefined();
					expect(next.items).toHaveLength(1);
				},
			),
			draws,
		);
	},
	60_000 + COUNT * 3000,
);

test(
	`answers that mean harm, in polls and dropdowns: ${COUNT} from ${SEED} on`,
	async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...EVENTS),
				fc.nat(2),
				hostileAnswer,
				async ({ parameters }, after, { status, text }) => {
					await sandbox.reset({ apiKeys: [`hostile-${text.length}-${after}-of-polls`], records: { links: 3, qrs: 3 } });
					const credential = { baseUrl: sandbox.url, apiKey: `hostile-${text.length}-${after}-of-polls` };
					const host = new TriggerHost({ credential, parameters, budgetMs: 60_000 });
					await sandbox.setFaults([{ kind: 'answer', status, text, after, times: 20 }]);
					const failures: unknown[] = [];
					const note = (error: unknown) => void failures.push(error);
					await host.activate().catch(note);
					if (failures.length === 0) await host.poll().catch(note);
					await search('searchLinks', credential).catch(note);
					for (const failure of failures) expectPlain(failure as Error, /Error$/);
					expect(host.saved.length).toBeLessThan(20_000);
					expect(JSON.stringify([host.saved, host.executions, host.warnings])).not.toContain(credential.apiKey);
					await expectOwnPaths();
					await sandbox.clearFaults();
					await new TriggerHost({ credential, parameters }).activate();
					expect((await search('searchLinks', credential)).results).toHaveLength(3);
				},
			),
			draws,
		);
	},
	60_000 + COUNT * 3000,
);

/** A cell of any kind and size. */
const cell = fc.oneof(
	longText,
	hostileId,
	fc.constantFrom<unknown>('https://example.com/', 'spring', 'DE', '2030-01-01', '#REF!', 12, false),
	fc
		.tuple(longText, fc.constantFrom(1, 3, 2000))
		.map(([text, times]) => Array.from({ length: times }, () => text.slice(0, 50))),
);

const TITLES = [
	'Long URL',
	'url',
	'Alias',
	'Short URL',
	'Title',
	'Description',
	'Expiry',
	'Pixels',
	'Tags',
	'campaign',
	'domain',
];

const item = fc.oneof(
	fc.dictionary(fc.constantFrom(...TITLES, ...OWN_NAMES), cell, { maxKeys: 8 }),
	fc
		.tuple(fc.constantFrom(...TITLES), fc.constantFrom(2, 900, 3000))
		.map(([title, count]) =>
			Object.fromEntries(Array.from({ length: count }, (_, at) => [`${title}${'-'.repeat(at)}`, 'x'])),
		),
	fc.tuple(longText, cell).map(([name, value]) => ({ [name]: value })),
);

const JOBS_OF_ITEMS: IDataObject[] = [
	upsertOf({ dryRun: true }),
	upsertOf({ dryRun: true, emptyCells: 'clear', updateWhen: 'never' }),
	{
		resource: 'link',
		operation: 'create',
		url: '={{ $json.url }}',
		linkFields: { pixels: '={{ $json.Pixels }}', custom: '={{ $json.Alias }}', expiry: '={{ $json.Expiry }}' },
	},
	{ resource: 'link', operation: 'get', linkId: by('shortUrl', '={{ $json["Short URL"] }}') },
	{
		resource: 'link',
		operation: 'update',
		linkId: by('alias', '={{ $json.Alias }}'),
		linkFields: { metatitle: '={{ $json.Title }}' },
	},
	{ resource: 'qrCode', operation: 'create', type: 'text', data: '={{ $json.Description }}', qrCodeFields: {} },
];

test(
	`items that mean harm: ${COUNT} from ${SEED} on`,
	async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...JOBS_OF_ITEMS),
				fc.array(item, { minLength: 1, maxLength: 3 }),
				async (parameters, items) => {
					await sandbox.reset({
						apiKeys: ['hostile-of-items'],
						records: { links: 3, qrs: 3 },
						limit: { requests: null },
					});
					const credential = { baseUrl: sandbox.url, apiKey: 'hostile-of-items' };
					const rows = items as IDataObject[];
					const outcome = await run(parameters, { credential, rows, node: { onError: 'continueRegularOutput' } });
					expectOutcomes(outcome, rows.length, credential);
					await expectOwnPaths();
				},
			),
			draws,
		);
	},
	60_000 + COUNT * 3000,
);

describe('time grows with what is sent, not faster: a quarter of it and all of it, side by side', () => {
	/** So little time (ms of this process) says nothing: it is that of the engine. */
	const LITTLE = 60;

	/** The least of some tries, of this process alone: other work on the machine takes nothing of it. */
	async function least(work: () => Promise<unknown>): Promise<number> {
		let found = Infinity;
		for (let tries = 0; tries < 5; tries++) {
			const from = process.cpuUsage();
			await work();
			const { user, system } = process.cpuUsage(from);
			found = Math.min(found, (user + system) / 1000);
		}
		return Math.max(found, LITTLE);
	}

	const repeated = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length));
	const dryRun = upsertOf({ dryRun: true });

	test.each<[string, number, (size: number) => IDataObject]>([
		[
			'titles that spell one',
			40_000,
			(count) =>
				Object.fromEntries(
					Array.from({ length: count }, (_, at) => [`Meta${'-'.repeat(at % 190)}${' '.repeat(at / 190)}Title`, 'x']),
				),
		],
		[
			'different titles',
			100_000,
			(count) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`column ${at}`, 'x'])),
		],
		['a Short URL cell', 500_000, (size) => ({ 'Short URL': repeated('https://lnk.example/a ', size) })],
		['a list of pixels', 300_000, (size) => ({ url: 'https://example.com/', Pixels: repeated('1,', size) })],
		['a long URL', 4_000_000, (size) => ({ url: `https://example.com/?${repeated('%20', size)}` })],
		['invisible characters', 4_000_000, (size) => ({ url: repeated('\u200b', size) })],
	])('%s', async (_what, size, rowOf) => {
		const credential = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
		const [quarter, whole] = [rowOf(size / 4), rowOf(size)];
		const go = async (row: IDataObject) => await run(dryRun, { credential, rows: [row] });
		const [one, other] = [await least(async () => await go(quarter)), await least(async () => await go(whole))];
		// What is quadratic takes sixteen times as long; a part of the time does not depend on the size.
		expect(other / one).toBeLessThan(12);
	});
});
