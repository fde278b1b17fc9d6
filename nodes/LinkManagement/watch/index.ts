import type { Poll, WatchSettings } from './conversation';
import { chosenRecords, wholeList } from './counts';
import { newRecords } from './newRecords';
import type { CountState, SeenState, StateFields } from './state';

export * from './changes';
export * from './conversation';
export * from './state';

/** Begins one poll. @param fields the state that the last poll left; undefined starts a baseline */
export function startPoll(settings: WatchSettings, fields?: StateFields): Poll {
	if (settings.question.kind === 'created') return newRecords(settings, fields as SeenState | undefined);
	const last = ofSelection(settings.selected, fields as CountState | undefined);
	return settings.selected ? chosenRecords(settings, last) : wholeList(settings, last);
}

/** The state for the records that are watched now. Those that were watched before go on; the others begin. */
function ofSelection(
	selected: WatchSettings['selected'],
	last: CountState = { isBaseline: true, counts: {}, falls: {}, tail: 0, selected },
): CountState {
	if (String(selected) === String(last.selected)) return last;
	const { isBaseline, counts, falls, tail } = last;
	const watched = selected && new Set(selected.map(String));
	// Where all are watched, one that was not met began at zero.
	const later = isBaseline ? [] : (selected?.filter((id) => id > tail && !(id in counts)) ?? []);
	const begun = later.map((id) => [String(id), 0] as const);
	const known = Object.entries(counts).flatMap(([id, count]) => {
		if (watched?.has(id) !== false) return [[id, count] as const];
		// If it vanishes and returns when it is watched again, it is not new.
		return Number(id) > tail ? [[id, null] as const] : [];
	});
	return { isBaseline: true, counts: Object.fromEntries([...known, ...begun]), falls, tail, selected };
}
