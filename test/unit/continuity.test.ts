/** From which state a poll goes on, case by case. */
import { latestState, stateAfter, type StoredState } from '../../nodes/LinkManagement/trigger/continuity';

const NOW = 1_800_000_000_000;
const SECOND = 1000;

/** A state with these numbers. */
const state = (step: number, report: number): StoredState => {
	const watch = { ids: [step], knownUpTo: step };
	return { of: 'the same', key: 'a key', step, report, watch };
};

/** What n8n has stored, what this process has left, how long ago n8n got the last report (ms), and what counts. */
test.each<[string, StoredState | null, StoredState | undefined, number | undefined, StoredState | 'wait' | null]>([
	['nothing is known', null, undefined, undefined, null],
	['n8n was restarted', state(5, 5), undefined, undefined, state(5, 5)],
	['polls without a report have followed', state(5, 5), state(8, 5), 90 * SECOND, state(8, 5)],
	['polls without a report have followed the first state', null, state(3, 0), undefined, state(3, 0)],
	['n8n may still store the report', state(5, 5), state(6, 6), 10 * SECOND, 'wait'],
	['n8n may still store the first report', null, state(1, 1), 10 * SECOND, 'wait'],
	['n8n has dropped the report', state(5, 5), state(6, 6), 31 * SECOND, state(5, 5)],
	['n8n has dropped the first report', null, state(1, 1), 31 * SECOND, null],
	['n8n has dropped the report, and the clock was set back', state(5, 5), state(6, 6), -3600 * SECOND, state(5, 5)],
	['n8n has stored the report', state(6, 6), state(6, 6), 10 * SECOND, state(6, 6)],
	['another process has reported since', state(9, 9), state(8, 5), 10 * SECOND, state(9, 9)],
	['another process has polled since', state(9, 5), state(8, 5), 90 * SECOND, state(9, 5)],
])('%s', (_what, stored, last, ago, counts) => {
	expect(latestState(stored, { last, reportedAt: ago === undefined ? undefined : NOW - ago }, NOW)).toEqual(counts);
});

test.each<[string, StoredState | null, StoredState | undefined, boolean, step: number, report: number]>([
	['the first one', null, undefined, false, 1, 0],
	['the first one, with a report', null, undefined, true, 1, 1],
	['without a report', state(5, 4), state(5, 4), false, 6, 4],
	['with a report', state(5, 4), state(5, 4), true, 6, 6],
	['behind a report that n8n has dropped', state(5, 4), state(8, 8), true, 9, 9],
])('each state has a higher number than all before it: %s', (_what, before, last, isReport, step, report) => {
	const left = { of: 'the same', key: 'a key', watch: { ids: [], knownUpTo: 0 } };
	expect(stateAfter(before, { last }, left, isReport)).toEqual({ ...left, step, report });
});
