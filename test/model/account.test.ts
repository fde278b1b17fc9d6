/**
 * A model of an account: whatever it holds, whatever service it is at, and whatever others do meanwhile, no link is touched but
 * those that rows name, each row is done or reported, and a dry run said so before. SEED sets which scenarios are drawn,
 * MODEL_RUNS how many.
 */
import { readFileSync } from 'fs';
import { join } from 'path';
import fc from 'fast-check';

import { Account } from '../engine/account';
import { quickTime } from '../engine/clock';
import { SEED } from '../seed';
import { scenario, type Scenario } from './scenario';
import { complaintsOf } from './turns';

/** A service that is down is waited for. */
quickTime(20);

/** In each lane. */
const RUNS = Number(process.env.MODEL_RUNS ?? 100);
/** Half of the time is spent waiting, for pauses between tries: several accounts go on beside each other. */
const LANES = [0, 1, 2];

const accounts = LANES.map(() => new Account());

beforeAll(async () => {
	for (const account of accounts) await account.open();
});

afterAll(async () => {
	for (const account of accounts) await account.close();
});

/** What was found once. */
const FOUND = JSON.parse(readFileSync(join(__dirname, 'found.json'), 'utf8')) as Array<{
	what: string;
	drawn: Scenario;
}>;

test.each(FOUND)('$what', async ({ drawn }) => {
	expect(await complaintsOf(accounts[0], drawn)).toEqual([]);
});

test(
	'no link is touched but those that rows name, and each row is done or reported, once',
	async () => {
		const look = async (account: Account, lane: number) =>
			await fc.assert(
				fc.asyncProperty(scenario, async (drawn) => expect(await complaintsOf(account, drawn)).toEqual([])),
				{ seed: SEED + lane, numRuns: RUNS },
			);
		await Promise.all(LANES.map(async (lane) => await look(accounts[lane], lane)));
	},
	RUNS * 20_000 + 600_000,
);
