/** What survives between polls: a row for each situation that n8n brings about, and test/engine/triggerLasts.test.ts does not. */
import { whatIsLeft, whatSurvives, type Left, type Situation } from '../../nodes/LinkManagement/trigger/continuity';
import { sealState, type StoredState } from '../../nodes/LinkManagement/watch';

const NOW = 1_000_000;
const OWNER = { settings: 'settings', account: 'account', access: 'key' };
const state = (id: number, owner = OWNER): StoredState => sealState(owner, { isBaseline: false, ids: [id], tail: 0 });
const [first, second, other] = [state(1), state(2), state(1, { ...OWNER, settings: 'others' })];
/** What a poll left that reported something; one that did not, n8n may not have kept. */
const left = (of: StoredState, more: Partial<Left> = {}): Left => ({
	state: of,
	instead: null,
	isQuiet: false,
	reports: [],
	...more,
});

const situation: Situation = {
	activation: 'activate',
	isFirst: true,
	isSaved: true,
	settings: 'settings',
	includesExisting: false,
	now: NOW,
};
/** As n8n's durable scheduler polls, after an edit too. */
const updated = { activation: 'update' } as const;
/** A baseline in the workflow's data. */
const baseline = { instead: null, state: first };
/** A report in place of the first state. */
const reportAt = (at: number) => ({ reports: [{ instead: first.sum, at }] });

const goesOn = (from: StoredState) => ({ survives: 'state', state: from });
const nothing = (why: string, owner?: StoredState) => ({ survives: 'nothing', why, ...(owner && { owner }) });

it.each<[string, Partial<Situation>, unknown]>([
	[
		'from what n8n stored, as the leader of several that took over',
		{ activation: 'leadershipChange', stored: first },
		goesOn(first),
	],
	[
		'from what n8n stored when it is turned on again and existing records are wanted',
		{ stored: first, includesExisting: true },
		goesOn(first),
	],
	['from nothing when it was renamed and n8n restarted', { activation: 'init' }, nothing('first')],
	['from what n8n stored when the workflow was edited', { ...updated, stored: first }, goesOn(first)],
	[
		'from nothing when the edit changed what is watched; the account is known',
		{ ...updated, stored: other },
		nothing('otherSettings', other),
	],
	['with durable cursors, from the cursor once there is one', { ...updated, stored: second, baseline }, goesOn(second)],
	[
		'with durable cursors, from the new baseline after it was turned off and on, though the old cursor is still there',
		{ ...updated, stored: second, baseline: { instead: second.sum, state: first } },
		goesOn(first),
	],
	[
		'in a context of its own each time, from the quiet poll that n8n did not keep',
		{ ...updated, stored: first, left: left(second, { instead: first.sum, isQuiet: true }) },
		goesOn(second),
	],
	[
		'not from a quiet poll once n8n has stored a later one',
		{ ...updated, stored: second, left: left(first, { isQuiet: true }) },
		goesOn(second),
	],
	['from the last report after a rename', { ...updated, left: left(second, { instead: first.sum }) }, goesOn(second)],
	[
		'from nothing where durable cursors hold none, for the first report was dropped',
		{ ...updated, isSaved: false, left: left(second) },
		nothing('first'),
	],
	[
		'from before a report that n8n has not committed for long: it was dropped',
		{ ...updated, stored: first, left: left(second, reportAt(NOW - 31_000)) },
		goesOn(first),
	],
	[
		'from what the context holds itself, whatever is on its way',
		{ isFirst: false, stored: first, left: left(second, reportAt(NOW)) },
		goesOn(first),
	],
])('a poll goes on %s', (_name, more, expected) => {
	expect(whatSurvives({ ...situation, ...more })).toEqual(expected);
});

describe('a poll leaves', () => {
	const end = { state: first, isQuiet: true, atActivation: true };

	it('its state, and what that would take the place of', () => {
		expect(whatIsLeft(situation, end)).toEqual({ left: left(first, { isQuiet: true }) });
	});

	it('the baseline of an activation in the workflow, where n8n keeps none, until n8n has stored another state', () => {
		const unsaved = { ...situation, isSaved: false };
		expect(whatIsLeft(unsaved, end)).toEqual({ left: left(first, { isQuiet: true }), baseline });
		const next = { ...unsaved, isFirst: false, baseline };
		const later = { ...end, atActivation: false };
		expect(whatIsLeft(next, later).baseline).toBe(baseline);
		expect(whatIsLeft({ ...next, stored: second }, later).baseline).toBeUndefined();
	});

	it('the time of its report, and those before it for half a minute', () => {
		const before = [
			{ instead: 'long ago', at: NOW - 30_000 },
			{ instead: 'just now', at: NOW - 29_000 },
		];
		const next = { ...situation, isFirst: false, stored: first, left: left(first, { reports: before }) };
		expect(whatIsLeft(next, { ...end, state: second, isQuiet: false }).left.reports).toEqual([
			before[1],
			...reportAt(NOW).reports,
		]);
	});
});
