import { chosenRecords } from './chosenRecords';
import { newRecords } from './newRecords';
import type { Poll, WatchSettings } from './poll';
import type { CountState, SeenState, StateFields } from './state';
import { wholeList } from './wholeList';

export * from './changes';
export * from './poll';
export * from './state';

/**
 * Begins one poll.
 *
 * @param fields the state that the last poll left; undefined starts a baseline
 */
export function startPoll(settings: WatchSettings, fields?: StateFields): Poll {
	if (settings.question.kind === 'created') return newRecords(settings, fields as SeenState | undefined);
	const last = ofSelection(settings.selected, fields as CountState | undefined);
	return settings.selected ? chosenRecords(settings, last) : wholeList(settings, last);
}

/** The state for the records that are watched now. Those that were watched before go on; the others begin. */
function ofSelection(
	selected: WatchSettings['selected'],
	last: CountState = { begun: [], counts: {}, falls: {}, tail: 0, selected },
): CountState {
	if (String(selected) === String(last.selected)) return last;
	const { tail, counts, falls } = last;
	const begun = last.begun === 'all' && selected ? selected : last.begun;
	const stay = new Set(selected?.map(String) ?? Object.keys(counts));
	const known = Object.entries(counts).filter(([id]) => stay.has(id));
	return { begun, tail, counts: Object.fromEntries(known), falls, selected };
}
