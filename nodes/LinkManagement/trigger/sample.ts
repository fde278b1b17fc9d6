import type { INodeExecutionData, IPollFunctions, NodeOperationError } from 'n8n-workflow';

import { connect, type Connection } from '../api/connection';
import { toNodeError } from '../api/nodeError';
import { idOf, wholeNumber } from '../api/records';
import { StoppedError } from '../rateLimit/cancellation';
import { byAge, MORE, passedThresholds, TOP, type Change, type ServiceRecord, type WantedPage } from '../watch';
import { toItem } from './events';
import { Reader } from './reader';
import { refusal, type TriggerSettings } from './settings';

/** Pages that are read, at most, to find a record that fits. */
const MOST_PAGES = 10;
/** Somebody waits for it: time for it all (ms), which is more than the minute that the rate limit is reckoned by. */
const LONGEST = 90_000;
/** Selected records that are read, at most. */
const MOST_SELECTED = 10;

/**
 * What "Fetch Test Event" shows: the newest record that fits the settings, in the event's shape; where none does, the newest
 * (or chosen) one all the same, marked as a sample, for it is only to show the fields. The stored state is neither read nor changed.
 *
 * @throws NodeOperationError when there is no record at all; NodeApiError when the service fails
 */
export async function sample(context: IPollFunctions, settings: TriggerSettings): Promise<INodeExecutionData[][]> {
	const { event } = settings;
	let best: Shown | undefined;
	let connection: Connection | undefined;
	try {
		const reader = new Reader(context, (connection = await connect(context)), event, LONGEST);
		for await (const records of candidates(reader, settings)) {
			for (const record of records) {
				if (idOf(record) === undefined) continue;
				const shown = shownOf(record, settings);
				if (best === undefined || isBetter(shown, best)) best = shown;
			}
			if (best?.fits) break;
		}
	} catch (error) {
		if (!(error instanceof StoppedError)) throw toNodeError(context.getNode(), error, connection?.redact);
		throw refusal(
			context,
			'The rate limit of the service left no time to fetch a test event',
			'Other work with the same key has used it up. Try again in a minute.',
		);
	}
	if (best === undefined) throw nothingThere(context, settings);
	const item = connection.redact.data(toItem(event, best.change));
	return [context.helpers.returnJsonArray([best.fits ? item : { ...item, sample: true }])];
}

/** Records to choose from, in batches: the newest that fits of the first batch that holds one is the sample. */
async function* candidates(reader: Reader, { event, selected }: TriggerSettings): AsyncGenerator<ServiceRecord[]> {
	if (selected !== undefined) {
		const records: ServiceRecord[] = [];
		for (const id of selected.slice(0, MOST_SELECTED)) {
			const record = await reader.record(id);
			if (record !== 'gone' && record !== 'unknown') records.push(record);
		}
		yield records;
		return;
	}
	const { records, place, total } = await reader.page({ from: TOP });
	if ('order' in event.query) {
		yield records;
		if (event.kind === 'grown') yield (await reader.page({ otherOrder: true })).records;
		return;
	}
	// The service doesn't say in which order it lists QR codes: the newest are at one of the ends.
	if (place === undefined) yield records;
	else {
		const position = Math.max(place.position, (total ?? 0) - records.length);
		yield [...records, ...(await reader.page({ from: { position } })).records];
		for (let pages = 2, wanted: WantedPage = { from: place }; pages < MOST_PAGES; pages++, wanted = MORE) {
			const page = await reader.page(wanted);
			yield page.records;
			if (page.place === undefined) return;
		}
	}
}

/** A record in the shape of the event, and whether it would have been reported if that had just come about. */
interface Shown {
	change: Change;
	fits: boolean;
}

function shownOf(record: ServiceRecord, { event, question }: TriggerSettings): Shown {
	if (question.kind === 'created') return { change: { record }, fits: true };
	const count = wholeNumber(record[event.listed.countField], 0) ?? 0;
	if (question.kind === 'grown') {
		const fits = count >= question.minimumIncrease;
		return { change: { record, previous: fits ? Math.floor(count - question.minimumIncrease) : 0, count }, fits };
	}
	const passed = passedThresholds(0, count, question.threshold, question.mode)?.last;
	const previous = passed === undefined ? 0 : Math.ceil(passed) - 1;
	const change = { record, previous, count, threshold: passed ?? question.threshold };
	return { change, fits: passed !== undefined };
}

/** What fits is better than what does not, and the newer is better than the older. */
function isBetter(a: Shown, b: Shown): boolean {
	return a.fits === b.fits ? byAge(a.change.record, b.change.record) > 0 : a.fits;
}

function nothingThere(context: IPollFunctions, { event, selected }: TriggerSettings): NodeOperationError {
	const { noun } = event.listed;
	return selected === undefined
		? refusal(context, `There is no ${noun} in the account yet`, `Create a ${noun}, then fetch a test event again.`)
		: refusal(context, `None of the selected ${noun}s is there any more`, `Select others, or set Watch to All.`);
}
