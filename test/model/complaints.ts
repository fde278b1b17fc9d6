import fc, { type Arbitrary } from 'fast-check';

import { SEED } from '../seed';

/**
 * A property: whatever is drawn, nobody has a reason to complain.
 *
 * @param complaintsOf plays what was drawn, and gives what is wrong, in the words of a user who looks at the account
 */
export function testNoComplaints<Drawn>(
	what: string,
	drawn: Arbitrary<Drawn>,
	complaintsOf: (one: Drawn) => Promise<string[]>,
	runs: number,
): void {
	const look = async (one: Drawn) => {
		expect(await complaintsOf(one)).toEqual([]);
		// The clocks of tests are spies, which keep each call: thousands of draws would fill the memory.
		jest.clearAllMocks();
	};
	const holds = async () => await fc.assert(fc.asyncProperty(drawn, look), { seed: SEED, numRuns: runs });
	test(what, holds, runs * 30_000 + 60_000);
}
