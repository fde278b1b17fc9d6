/**
 * Everyday jobs at services of the family, drawn at random, each of which deviates by itself: a job comes to what it comes to at a service
 * that answers as the document says, or says what the service lacks. Then one answer, whichever, is odd: nothing is made twice or lost,
 * nothing is changed that no row means, what is called done is done, and the next run comes to the same. SEED sets what is drawn,
 * ANY_SERVICE how much of it.
 */
import type { IDataObject } from 'n8n-workflow';

import { skippingWaits } from '../engine/clock';
import { hintsOf, type Outcome } from '../engine/host';
import { isFailed } from '../failed';
import { startSandbox, type Sandbox } from '../sandbox';
import { Random } from '../sandbox/records';
import { SEED } from '../seed';
import { Account, recordsOf, type Holding } from './account';
import { ODD_ANSWERS, untilDone } from './answers';
import { HAPPENINGS, watch } from './events';
import { JOBS, type Job } from './jobs';
import { obstaclesTo } from './obstacles';
import { AS_DOCUMENTED, drawService, wholeBehavior, type Service } from './services';

const COUNT = Number(process.env.ANY_SERVICE ?? 120);
const AT_ONCE = 4;

skippingWaits();

let sandboxes: Sandbox[];

beforeAll(async () => {
	sandboxes = await Promise.all(Array.from({ length: AT_ONCE }, async () => await startSandbox()));
});

afterAll(async () => {
	await Promise.all(sandboxes.map(async (sandbox) => await sandbox.stop()));
});

/** What a job comes to. */
interface Done {
	before: Holding;
	after: Holding;
	outcome: Outcome;
	rows: IDataObject[];
	requests: number;
}

async function done(account: Account, job: Job, service: Service): Promise<Done> {
	await account.begin(service);
	const before = await account.holding();
	const rows = await job.rows(account);
	await account.sandbox.clearRequests();
	const outcome = await account.run(job.parameters, rows);
	const { requests } = await account.sandbox.stats();
	return { before, after: await account.holding(), outcome, rows, requests };
}

/** What ties hide from all readings is missing, and is said so. */
const HIDDEN = /\d+ of (?:the )?\d+ records/;

const itemsOf = ({ items }: Outcome) => items.map(({ json }) => json);

const documented = new Map<Job, Done>();

/** What a job comes to at a service that answers as the document says. */
async function asDocumented(account: Account, job: Job): Promise<Done> {
	const known = documented.get(job);
	if (known !== undefined) return known;
	const found = await done(account, job, AS_DOCUMENTED);
	const failure = found.outcome.error?.message ?? itemsOf(found.outcome).find(isFailed)?.error;
	if (failure !== undefined && (job.fails ?? job.mayFail)?.test(String(failure)) !== true)
		throw new Error(`"${job.name}" fails where all is as documented: ${String(failure)}`);
	documented.set(job, found);
	return found;
}

const rowOf = (items: Outcome['items'], at: number): number => (items[at].pairedItem as { item: number }).item;

/** What is wrong with rows that are called done: each is to have the records that it has at a service as documented. */
function wrongRows(
	job: Job,
	{ items }: Outcome,
	rows: IDataObject[],
	held: Holding,
	wanted: Holding,
): string | undefined {
	for (const [at, { json }] of items.entries()) {
		if (isFailed(json) || job.of === undefined) continue;
		const [is, should] = [held, wanted].map((holding) => recordsOf(holding, job.of!(rows[rowOf(items, at)])));
		if (is !== should) return `called done: ${JSON.stringify(json)}\n${is}\n${should}`;
	}
	return undefined;
}

/** The rows that failed, each with why; of a run that ended, that alone. */
const failuresOf = ({ outcome }: Done): string[] =>
	outcome.error === undefined
		? itemsOf(outcome)
				.filter(isFailed)
				.map(({ error }) => String(error))
		: [outcome.error.message];

/** What a service lacks for a job, as its failures have to say it. */
function lackedBy(job: Job, service: Service): RegExp[] {
	const isHidden = wholeBehavior(service).ties > 0;
	return [...obstaclesTo(job.needs, service), ...(isHidden ? [HIDDEN] : [])];
}

/** @returns what is wrong with how a job ended at a service where each answer is as the service gives it */
async function wrongWith(account: Account, job: Job, service: Service, sound: Done): Promise<string | undefined> {
	const wanted = await asDocumented(new Account(account.sandbox), job);
	const failures = failuresOf(sound);
	const words = [...lackedBy(job, service), job.fails, job.mayFail].filter((one) => one !== undefined);
	const other = failures.find((failure) => !words.some((one) => one.test(failure)));
	if (other !== undefined) return `it ended in "${other}"`;
	if (job.fails !== undefined && failures.length === 0) return 'nothing was wrong';
	const { outcome, rows, after } = sound;
	return wrongRows(job, outcome, rows, after, wanted.after) ?? (await wrongItems(job, outcome, account));
}

async function wrongItems(job: Job, outcome: Outcome, account: Account): Promise<string | undefined> {
	if (outcome.error !== undefined || itemsOf(outcome).some(isFailed)) return undefined;
	const wrong = await job.wrong?.(itemsOf(outcome), account);
	// A list that is short says so.
	return hintsOf(outcome).some((hint) => hint.includes(`it has ${wrong}.`)) ? undefined : wrong;
}

/** What is wrong with an account in which a job was done, with an odd answer. */
function harmTo(held: Holding, { before, after }: Done): string | undefined {
	for (const [record, count] of held) {
		const most = Math.max(before.get(record) ?? 0, after.get(record) ?? 0);
		if (count > most) return `${count} in place of ${most}: ${record}`;
	}
	for (const [record, count] of before) {
		const least = Math.min(count, after.get(record) ?? 0);
		if ((held.get(record) ?? 0) < least) return `lost: ${record}`;
	}
	return undefined;
}

const difference = (one: Holding, other: Holding) =>
	[...new Set([...one.keys(), ...other.keys()])]
		.filter((record) => one.get(record) !== other.get(record))
		.map((record) => `${one.get(record) ?? 0} in place of ${other.get(record) ?? 0}: ${record}`)
		.join('\n');

/** @returns what is wrong with what comes of an odd answer to one of its requests, and of another run without */
async function wrongAfter(
	account: Account,
	job: Job,
	service: Service,
	sound: Done,
	[name, odd]: (typeof ODD_ANSWERS)[number],
	at: number,
): Promise<string | undefined> {
	await account.begin(service);
	const rows = await job.rows(account);
	await account.sandbox.setFaults(odd({ after: at % sound.requests, times: 1 }));
	const outcome = await account.run(job.parameters, rows);
	await untilDone(name);
	await account.sandbox.clearFaults();
	const held = await account.holding();
	const wrong =
		harmTo(held, sound) ??
		(outcome.error === undefined ? undefined : `the run ended: ${outcome.error.message}`) ??
		wrongRows(job, outcome, rows, held, sound.after) ??
		(await wrongItems(job, outcome, account));
	if (wrong !== undefined) return wrong;
	if (at % 2 === 0) account.restart();
	const again = await account.run(job.parameters, rows);
	if (itemsOf(again).some(({ error }) => HIDDEN.test(String(error)))) return undefined;
	const left = difference(await account.holding(), sound.after);
	return left === '' ? undefined : `the next run leaves ${left}`;
}

interface Failure {
	seed: number;
	what: string;
	why: string;
}

/** Goes through what a seed draws, several at once. */
async function drawn(
	count: number,
	draw: (account: Account, random: Random) => Promise<[what: unknown, why?: string]>,
) {
	const failures: Failure[] = [];
	let next = SEED;
	await Promise.all(
		sandboxes.map(async (sandbox) => {
			while (next < SEED + count) {
				const seed = next++;
				const [what, why] = await draw(new Account(sandbox), new Random(seed));
				if (why !== undefined) failures.push({ seed, what: JSON.stringify(what), why });
			}
		}),
	);
	return failures;
}

test(
	`a job comes to what it comes to as documented, and one odd answer does no harm: ${COUNT} jobs from ${SEED} on`,
	async () => {
		const failures = await drawn(COUNT, async (account, random) => {
			const [job, service] = [random.pick(JOBS), drawService(random)];
			const odd = random.pick(ODD_ANSWERS);
			const at = random.integer(0, 1000);
			const attempt = async () => {
				const sound = await done(account, job, service);
				const wrong = await wrongWith(account, job, service, sound);
				// What fails without an odd answer fails with one.
				const isLacking = failuresOf(sound).some((one) => lackedBy(job, service).some((words) => words.test(one)));
				if (wrong !== undefined || isLacking) return wrong;
				return await wrongAfter(account, job, service, sound, odd, at);
			};
			const why = await attempt().catch((error: Error) => String(error.stack));
			return [[job.name, odd[0], at, service], why];
		});
		expect(failures).toEqual([]);
	},
	60_000 + COUNT * 6000,
);

const EVENTS = Math.ceil(COUNT / 4);

test(
	`the trigger reports each event once, also with one odd answer: ${EVENTS} triggers from ${SEED} on`,
	async () => {
		const failures = await drawn(EVENTS, async (account, random) => {
			const [happening, service] = [random.pick(HAPPENINGS), drawService(random)];
			const [name, odd] = random.pick(ODD_ANSWERS);
			const at = random.integer(0, 24);
			await account.begin(service);
			await account.sandbox.setFaults(odd({ after: at, times: 1 }));
			const needs = happening.event.startsWith('link') ? [] : (['qrs'] as const);
			const obstacles = obstaclesTo(needs, service);
			const what = [happening.event, name, at, service];
			try {
				const { told, wanted } = await watch(account, happening);
				await untilDone(name);
				const isTold = JSON.stringify(told) === JSON.stringify(wanted);
				return [what, isTold ? undefined : `told ${told.join(', ')} in place of ${wanted.join(', ')}`];
			} catch (error) {
				const { message } = error as Error;
				return [what, obstacles.length > 0 ? undefined : message];
			}
		});
		expect(failures).toEqual([]);
	},
	60_000 + COUNT * 3000,
);
