/**
 * Everyday jobs, in each of which one answer, whichever, is odd: nothing is made twice or lost, nothing is changed that no row means,
 * what is called done is done, and the next run comes to the same account as without it. ODD_ANSWERS sets how many are drawn.
 */
import { quickTime } from '../engine/clock';
import { isFailed } from '../failed';
import { startSandbox, type Sandbox } from '../sandbox';
import { Random } from '../sandbox/records';
import { SEED } from '../seed';
import { Account, SERVICES, type Holding, type Service } from './account';
import { ODD_ANSWERS, untilDone } from './answers';
import { HAPPENINGS, watch } from './events';
import { JOBS, recordsOf, type Job } from './jobs';

const COUNT = Number(process.env.ODD_ANSWERS ?? 200);
const AT_ONCE = 4;

quickTime(50);

let sandboxes: Sandbox[];

beforeAll(async () => {
	sandboxes = await Promise.all(Array.from({ length: AT_ONCE }, async () => await startSandbox()));
});

afterAll(async () => {
	await Promise.all(sandboxes.map(async (sandbox) => await sandbox.stop()));
});

/** What a job comes to where every answer is as it should be. */
interface Sound {
	before: Holding;
	after: Holding;
	requests: number;
}

const sound = new Map<string, Sound>();

async function soundRun(account: Account, job: Job, service: Service): Promise<Sound> {
	const name = JSON.stringify([job.name, service]);
	const known = sound.get(name);
	if (known !== undefined) return known;
	await account.begin(service);
	const before = await account.holding();
	const { items, error } = await account.run(job.parameters, await job.rows(account));
	// A job of which nothing is done would prove nothing.
	const failed = items.filter(({ json }) => isFailed(json));
	const failure = error?.message ?? (failed.length === items.length ? failed[0]?.json.error : undefined);
	if (failure !== undefined)
		throw new Error(`"${job.name}" fails where all answers are as they should be: ${String(failure)}`);
	const { requests } = await account.sandbox.stats();
	const found = { before, after: await account.holding(), requests };
	sound.set(name, found);
	return found;
}

/** What is wrong with an account in which a job was done, with an odd answer. */
function wrongWith(held: Holding, { before, after }: Sound): string | undefined {
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

const same = (one: Holding, other: Holding) =>
	JSON.stringify([...one].sort()) === JSON.stringify([...other].sort())
		? undefined
		: JSON.stringify([
				[...one].filter(([r, n]) => other.get(r) !== n),
				[...other].filter(([r, n]) => one.get(r) !== n),
			]);

/** Does a job with an odd answer to one of its requests, and once more without. @returns what is wrong with what came of it */
async function attempt(
	account: Account,
	job: Job,
	service: Service,
	[name, odd]: (typeof ODD_ANSWERS)[number],
	at: number,
): Promise<string | undefined> {
	const whole = await soundRun(account, job, service);
	await account.begin(service);
	const rows = await job.rows(account);
	await account.sandbox.setFaults(odd({ after: at % whole.requests, times: 1 }));
	const outcome = await account.run(job.parameters, rows);
	await untilDone(name);
	await account.sandbox.clearFaults();
	const held = await account.holding();
	const wrong = wrongWith(held, whole) ?? (await job.wrong?.(outcome, account));
	if (wrong !== undefined) return wrong;
	if (outcome.error !== undefined) return `the run ended: ${outcome.error.message}`;
	for (const { json, pairedItem } of outcome.items) {
		const row = rows[(pairedItem as { item: number }).item];
		if (typeof json.error === 'string') continue;
		const [is, should] = [held, whole.after].map((holding) => recordsOf(holding, job.of(row)));
		if (is !== should) return `called done: ${JSON.stringify(json)}\n${is}\n${should}`;
	}
	if (at % 2 === 0) account.restart();
	await account.run(job.parameters, rows);
	const left = same(await account.holding(), whole.after);
	return left === undefined ? undefined : `the next run leaves ${left}`;
}

interface Failure {
	seed: number;
	what: string[];
	why: string;
}

/** Goes through what a seed draws, several at once. */
async function drawn(
	count: number,
	draw: (account: Account, random: Random) => Promise<Omit<Failure, 'seed'> | undefined>,
) {
	const failures: Failure[] = [];
	let next = SEED;
	await Promise.all(
		sandboxes.map(async (sandbox) => {
			while (next < SEED + count) {
				const seed = next++;
				const failure = await draw(new Account(sandbox), new Random(seed));
				if (failure !== undefined) failures.push({ seed, ...failure });
			}
		}),
	);
	return failures;
}

test(
	`one odd answer anywhere does no harm: ${COUNT} jobs from ${SEED} on`,
	async () => {
		const failures = await drawn(COUNT, async (account, random) => {
			const [job, service] = [random.pick(JOBS), random.pick(SERVICES)];
			const odd = random.pick(ODD_ANSWERS);
			const at = random.integer(0, 1000);
			const why = await attempt(account, job, service, odd, at).catch((error: Error) => String(error.stack));
			return why === undefined ? undefined : { what: [job.name, odd[0], String(at), JSON.stringify(service)], why };
		});
		expect(failures).toEqual([]);
	},
	60_000 + COUNT * 3000,
);

const EVENTS = Math.ceil(COUNT / 4);

test(
	`one odd answer anywhere costs no event, and makes none: ${EVENTS} triggers from ${SEED} on`,
	async () => {
		const failures = await drawn(EVENTS, async (account, random) => {
			const [happening, service] = [random.pick(HAPPENINGS), random.pick(SERVICES)];
			const [name, odd] = random.pick(ODD_ANSWERS);
			const at = random.integer(0, 24);
			await account.begin(service);
			await account.sandbox.setFaults(odd({ after: at, times: 1 }));
			const { told, wanted } = await watch(account, happening);
			await untilDone(name);
			if (JSON.stringify(told) === JSON.stringify(wanted)) return undefined;
			const what = [happening.event, name, String(at), JSON.stringify(service)];
			return { what, why: `told ${told.join(', ')} in place of ${wanted.join(', ')}` };
		});
		expect(failures).toEqual([]);
	},
	60_000 + COUNT * 3000,
);
