/** Polls of one trigger that would run at the same time: one at once, and an activation takes over. */
import type { IPollFunctions } from 'n8n-workflow';

import { TriggerMemory } from '../../nodes/LinkManagement/trigger/memory';

/** The context of an activation and of the ticks of its timer; n8n says five minutes of those that its scheduler does not start. */
const ofTimer = () => ({ getPollBudgetMs: () => 300_000 }) as unknown as IPollFunctions;
const ofScheduler = () => ({ getPollBudgetMs: () => 36_000 }) as unknown as IPollFunctions;

/** A poll that lasts until it is told to end. */
function pending(name: string) {
	let end: () => void = () => undefined;
	const isOver = new Promise<void>((resolve) => (end = resolve));
	const poll = jest.fn(async (_remembered: unknown, superseded: AbortSignal) => {
		await isOver;
		return superseded.aborted ? null : name;
	});
	return { poll, end };
}

// What waits for ever is to fail soon.
jest.setTimeout(10_000);

const moment = async () => await new Promise((resolve) => setImmediate(resolve));

test.each([
	['the next tick of its timer', (first: IPollFunctions) => first],
	['a poll of the scheduler', ofScheduler],
])('while a poll is under way, %s does nothing', async (_what, contextOf) => {
	const memory = new TriggerMemory();
	const [first, second] = [pending('first'), pending('second')];
	const context = ofTimer();
	const polling = memory.runExclusively('a trigger', context, first.poll);
	expect(await memory.runExclusively('a trigger', contextOf(context), second.poll)).toBeNull();
	expect(second.poll).not.toHaveBeenCalled();
	first.end();
	expect(await polling).toBe('first');
});

test('while a poll is under way, an activation ends it without a report, and one poll follows', async () => {
	const memory = new TriggerMemory();
	const [first, second, third] = [pending('first'), pending('second'), pending('third')];
	const polling = memory.runExclusively('a trigger', ofTimer(), first.poll);
	const following = [second, third].map(async ({ poll }) => await memory.runExclusively('a trigger', ofTimer(), poll));
	await moment();
	expect(second.poll).not.toHaveBeenCalled();
	for (const { end } of [first, second, third]) end();
	expect(await polling).toBeNull();
	expect(await Promise.all(following)).toEqual(['second', null]);
	expect(third.poll).not.toHaveBeenCalled();
});

test('a poll that fails leaves room for the next one, and other triggers need not wait', async () => {
	const memory = new TriggerMemory();
	const other = pending('other');
	const waiting = memory.runExclusively('another trigger', ofTimer(), other.poll);
	const failing = memory.runExclusively('a trigger', ofTimer(), async () => await Promise.reject(new Error('Down')));
	await expect(failing).rejects.toThrow('Down');
	expect(await memory.runExclusively('a trigger', ofTimer(), async () => await Promise.resolve('next'))).toBe('next');
	other.end();
	expect(await waiting).toBe('other');
});
