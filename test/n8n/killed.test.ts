/** What is reported when n8n is killed at any moment. In the newest n8n alone: earlier ones have no durable cursors. */
import { killRepeatedly } from './killing';

describe('n8n killed 5 times while clicks and scans go on', () => {
	it('with durable cursors: each is reported once, to the letter', async () => {
		const { scans, clicks, created } = await killRepeatedly('durable', 5);
		for (const { happened, ...rest } of [scans, clicks, created]) {
			expect(happened).toBeGreaterThan(0);
			expect(rest).toEqual({ reported: happened, lost: 0, repeated: 0, behind: 0 });
		}
	}, 600_000);

	it('without: the trigger always catches up', async () => {
		const { scans, clicks, executions } = await killRepeatedly('plain', 5);
		expect(executions).toBeGreaterThan(5);
		expect([scans.behind, clicks.behind]).toEqual([0, 0]);
	}, 600_000);
});
