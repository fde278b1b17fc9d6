/** What survives between polls: a row for each situation that n8n brings about, and test/engine/triggerLasts.test.ts does not. */
import { whatIsLeft, whatSurvives, type Left, type Situation } from '../../nodes/LinkManagement/trigger/continuity';
import { sealState, type StoredState } from '../../nodes/LinkManagement/watch';

const OWNER = { settings: 'settings', account: 'account', access: 'key' };
const state = (known: string, owner = OWNER): StoredState => sealState(owner, { known });
const [first, second, other] = [state('1'), state('2'), state('1', { ...OWNER, settings: 'others' })];
const left = (of: StoredState, more: Partial<Left> = {}): Left => ({
	state: of,
	wasStored: true,
	reports: [],
	...more,
});
const instead = (of: StoredState | undefined) => of?.sum ?? null;
const NOW = 1_000_000;

const goesOn = (from: StoredState) => ({ survives: 'state', state: from });
const nothing = (why: string, owner?: StoredState) => ({ survives: 'nothing', why, ...(owner && { owner }) });

describe('a poll goes on', () => {
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
		['from what n8n stored when the workflow was edited', { activation: 'update', stored: first }, goesOn(first)],
		[
			'from nothing when the edit changed what is watched; the account is known',
			{ activation: 'update', stored: other },
			nothing('otherSettings', other),
		],
		[
			'from nothing when another version wrote it',
			{ activation: 'init', stored: { ...first, v: 0 } },
			nothing('otherVersion'),
		],
		[
			'with durable cursors, from the cursor once there is one',
			{ activation: 'update', stored: second, baseline: { instead: null, state: first } },
			goesOn(second),
		],
		[
			'with durable cursors, from the new baseline after it was turned off and on, though the old cursor is still there',
			{ activation: 'update', stored: second, baseline: { instead: instead(second), state: first } },
			goesOn(first),
		],
		[
			'in a context of its own each time, from the quiet poll that n8n did not keep',
			{
				activation: 'update',
				stored: first,
				left: left(second, { quiet: { instead: instead(first), state: second } }),
			},
			goesOn(second),
		],
		[
			'not from a quiet poll once n8n has stored a later one',
			{ activation: 'update', stored: second, left: left(first, { quiet: { instead: null, state: first } }) },
			goesOn(second),
		],
		[
			'from the last report after a rename, not from the quiet poll before it',
			{ activation: 'update', left: left(second, { quiet: { instead: instead(first), state: first } }) },
			goesOn(second),
		],
		[
			'from before a report that n8n has not committed for long: it was dropped',
			{
				activation: 'update',
				stored: first,
				left: left(second, { reports: [{ instead: instead(first), at: NOW - 31_000 }] }),
			},
			goesOn(first),
		],
		[
			'from what the context holds itself, whatever is on its way',
			{ isFirst: false, stored: first, left: left(second, { reports: [{ instead: instead(first), at: NOW }] }) },
			goesOn(first),
		],
	])('%s', (_name, situation, expected) => {
		const rest = {
			activation: 'activate',
			isFirst: true,
			settings: 'settings',
			includesExisting: false,
			now: NOW,
		} as const;
		expect(whatSurvives({ ...rest, ...situation })).toEqual(expected);
	});
});

describe('a poll leaves', () => {
	const situation: Situation = {
		activation: 'activate',
		isFirst: true,
		settings: 'settings',
		includesExisting: false,
		now: NOW,
	};
	const end = { state: first, isQuiet: true, atActivation: true, isSaved: true };
	const quiet = { instead: null, state: first };

	it('its state, and what a quiet poll would take the place of', () => {
		expect(whatIsLeft(situation, end)).toEqual({ left: { state: first, wasStored: true, quiet, reports: [] } });
	});

	it('the baseline of an activation in the workflow, where n8n keeps none', () => {
		expect(whatIsLeft(situation, { ...end, isSaved: false })).toEqual({
			left: { state: first, wasStored: false, quiet, reports: [] },
			baseline: quiet,
		});
	});

	it('that baseline until n8n has stored another state', () => {
		const next = { ...situation, isFirst: false, baseline: quiet };
		const later = { ...end, atActivation: false, isSaved: false };
		expect(whatIsLeft(next, later).baseline).toBe(quiet);
		expect(whatIsLeft({ ...next, stored: second }, later).baseline).toBeUndefined();
	});

	it('no quiet poll that a report took the place of', () => {
		const next = { ...situation, isFirst: false, stored: second, left: left(second, { quiet }) };
		expect(whatIsLeft(next, { ...end, state: first, isQuiet: false }).left.quiet).toBeUndefined();
	});

	it('the time of its report, and those before it for half a minute', () => {
		const before = [
			{ instead: 'long ago', at: NOW - 30_000 },
			{ instead: 'just now', at: NOW - 29_000 },
		];
		const next = { ...situation, isFirst: false, stored: first, left: left(first, { reports: before }) };
		expect(whatIsLeft(next, { ...end, state: second, isQuiet: false }).left.reports).toEqual([
			{ instead: 'just now', at: NOW - 29_000 },
			{ instead: first.sum, at: NOW },
		]);
	});
});
