/**
 * Everyday jobs at services of the family, drawn at random: every deviation of the sandbox's table by itself. The
 * test's name has the first one's seed, and what fails is reported with its own.
 */
import { startSandbox, type Sandbox } from '../sandbox';
import { SEED } from '../seed';
import { surveyService, type Failure } from './survey';

const COUNT = Number(process.env.ANY_SERVICE_COUNT ?? 25);
/** At once: half of the time is spent waiting for tries after faults. */
const AT_ONCE = 4;

let sandboxes: Sandbox[];

beforeAll(async () => {
	sandboxes = await Promise.all(Array.from({ length: AT_ONCE }, async () => await startSandbox()));
});

afterAll(async () => {
	await Promise.all(sandboxes.map(async (sandbox) => await sandbox.stop()));
});

test(
	`every job works at ${COUNT} services from ${SEED} on, or says what the service lacks`,
	async () => {
		const failures: Failure[] = [];
		let next = SEED;
		await Promise.all(
			sandboxes.map(async (sandbox) => {
				while (next < SEED + COUNT) failures.push(...(await surveyService(sandbox, next++)));
			}),
		);
		expect(failures).toEqual([]);
	},
	30_000 + COUNT * 20_000,
);
