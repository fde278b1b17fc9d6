/**
 * Answers and items that mean harm, drawn at random: each row has an outcome in plain words, nothing is asked for beyond the service's
 * own paths, the key stands nowhere, and what is asked for next works at once. HOSTILE sets how many are drawn.
 */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { upsertOf } from '../engine/account';
import { skippingWaits } from '../engine/clock';
import { by, run, search } from '../engine/host';
import { TriggerHost } from '../engine/pollHost';
import { openService, sandbox } from '../engine/service';
import { textsOf, WAYS } from '../engine/ways';
import { Account } from '../anyService/account';
import { JOBS } from '../anyService/jobs';
import { obstaclesTo, type Need } from '../anyService/obstacles';
import { AS_DOCUMENTED, drawService } from '../anyService/services';
import { OPERATIONS, prepareAccount } from '../documentation/examples';
import { Random } from '../sandbox/records';
import { SEED } from '../seed';
import { hostileAnswer, hostileId, longText, OWN_NAMES } from './answers';
import { expectPlain, expectReadable } from './plain';

const COUNT = Number(process.env.HOSTILE ?? 60);

openService({ validate: false });
// For the pauses between tries.
skippingWaits();

/** All that the package may ask the service for: its own paths, and the pictures of QR codes. */
const OWN_PATH = /^\/api\/[a-z]+(?:\/(?:\d+|(?!undefined|null|nan)[a-z]+))*$|^\/qr\/[a-z0-9]+$/;
/** Most requests of one run, poll or list: a page is asked for again where a list says that it changed. */
const MOST_REQUESTS = 150;

/** Nothing strange was asked for, and not for ever. */
async function expectOwnRequests(): Promise<void> {
	const paths = (await sandbox.requests()).map(({ path }) => path);
	expect(paths.filter((path) => !OWN_PATH.test(path))).toEqual([]);
	expect(paths.length).toBeLessThan(MOST_REQUESTS);
}

/** Work of the node: every operation as the pages show it, and jobs of several rows. */
interface Work {
	name: string;
	needs: readonly Need[];
	parameters: IDataObject;
	rows(account: Account): Promise<IDataObject[]> | IDataObject[];
}

const EVERY_OPERATION = OPERATIONS.map(({ operation: name, parameters }): Work => {
	const [resource, operation] = name.split(':');
	return { name, needs: [], parameters: { resource, operation, ...parameters }, rows: () => [{}] };
});
const SEVERAL_ROWS = /^(?:four|two|3|2) |^a sheet with campaigns|^QR codes, each once|^campaign:update by name/;
const ALL_WORK = [...EVERY_OPERATION, ...JOBS.filter(({ name }) => SEVERAL_ROWS.test(name))];
const isList = ({ parameters: { operation } }: Work) => operation === 'getAll' || operation === 'getItems';

const draws = { seed: SEED, numRuns: COUNT };

test(
	`answers that mean harm, at any place of ${ALL_WORK.length} jobs: ${COUNT} from ${SEED} on`,
	async () => {
		const account = new Account(sandbox);
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...ALL_WORK),
				fc.nat(),
				fc.nat(6),
				fc.constantFrom(1, 1, 40),
				hostileAnswer,
				async (work, seed, after, times, answer) => {
					const drawn = drawService(new Random(seed));
					const isOpen = obstaclesTo([...work.needs, 'domains'], drawn).length === 0;
					await account.begin(isOpen ? drawn : AS_DOCUMENTED);
					const rows = await work.rows(account);
					await sandbox.clearRequests();
					await sandbox.setFaults([{ ...answer, after: Math.min(after, rows.length * 2), times }]);
					const outcome = await account.run(work.parameters, rows);
					await expectOwnRequests();
					expectReadable(outcome, account.credential.apiKey, isList(work) ? undefined : rows.length);
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

/** Every dropdown, every event, and the credential's test. */
const OTHER_WAYS = WAYS.filter(([name]) => !name.includes(':'));

test(
	`answers that mean harm, in polls and dropdowns: ${3 * COUNT} from ${SEED} on`,
	async () => {
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...OTHER_WAYS), fc.nat(2), hostileAnswer, async ([, go], after, answer) => {
				const apiKey = `hostile-${answer.text.length}-${after}-of-polls`;
				await prepareAccount(sandbox);
				await sandbox.configure({ apiKeys: [apiKey] });
				const credential = { baseUrl: sandbox.url, apiKey };
				await sandbox.setFaults([{ ...answer, after, times: 20 }]);
				const { left, message = '' } = await go(credential, sandbox);
				expectPlain({ name: '', message }, /^$/);
				expect(textsOf(left).join('\n')).not.toContain(apiKey);
				expect({}).not.toHaveProperty('polluted');
				await expectOwnRequests();
				await sandbox.clearFaults();
				await new TriggerHost({ credential, parameters: { event: 'linkClicked' } }).activate();
				expect((await search('searchLinks', credential)).results).not.toEqual([]);
			}),
			{ ...draws, numRuns: 3 * COUNT },
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
					expectReadable(outcome, credential.apiKey, rows.length);
					await expectOwnRequests();
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
