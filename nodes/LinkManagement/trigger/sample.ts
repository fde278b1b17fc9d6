import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { connect } from '../api/connection';
import { toNodeError } from '../api/nodeError';
import { StoppedError } from '../rateLimit/cancellation';
import { dateOf, idOf, passedThresholds, wholeNumber, type Change, type ServiceRecord } from '../watch';
import { toItem } from './events';
import { Reader } from './reader';
import type { TriggerSettings } from './settings';

/** Pages that are read, at most, to find a record that fits. */
const MOST_PAGES = 10;
/** Somebody waits for it: time for it all (ms), which is more than the minute that the rate limit is reckoned by. */
const LONGEST = 90_000;
/** Selected records that are read, at most. */
const MOST_SELECTED = 10;

/**
 * What "Fetch Test Event" shows: the newest record that fits the settings, in the event's shape; where none does, the newest
 * (or chosen) one all the same, for it is only to show the fields. The stored state is neither read nor changed.
 *
 * @throws NodeOperationError when there is no record at all; NodeApiError when the service fails
 */
export async function sample(context: IPollFunctions, settings: TriggerSettings): Promise<INodeExecutionData[][]> {
	const { event } = settings;
	let newest: ServiceRecord | undefined;
	let fitting: Change | undefined;
	try {
		const signal = AbortSignal.timeout(LONGEST);
		const reader = new Reader(context, await connect(context), event, signal, Date.now() + LONGEST);
		for await (const records of candidates(reader, settings)) {
			for (const record of records) {
				if (idOf(record) === undefined) continue;
				if (newest === undefined || isNewer(record, newest)) newest = record;
				const change = changeOf(record, settings);
				if (change !== undefined && (fitting === undefined || isNewer(record, fitting.record))) fitting = change;
			}
			if (fitting !== undefined) break;
		}
	} catch (error) {
		if (!(error instanceof StoppedError)) throw toNodeError(context.getNode(), error);
		throw new NodeOperationError(
			context.getNode(),
			'The rate limit of the service left no time to fetch a test event',
			{
				description: 'Other work with the same key has used it up. Try again in a minute.',
			},
		);
	}
	const shown = fitting ?? (newest && unfitting(newest, settings));
	if (shown === undefined) throw nothingThere(context, settings);
	return [context.helpers.returnJsonArray([toItem(event, shown)])];
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
	const first = await reader.page(1);
	const lastPage = first.lastPage ?? 1;
	if ('order' in event.query) {
		yield first.records;
		if (event.kind === 'grown') yield (await reader.page(1, undefined, { order: 'click' })).records;
		return;
	}
	// The service doesn't say in which order it lists QR codes: the newest are at one of the ends.
	const size = first.size;
	yield lastPage > 1 ? [...first.records, ...(await reader.page(lastPage, size)).records] : first.records;
	for (let page = 2; page < Math.min(lastPage, MOST_PAGES); page++) yield (await reader.page(page, size)).records;
}

/** The change that would have been reported about a record, if it had just come about. */
function changeOf(record: ServiceRecord, { event, question }: TriggerSettings): Change | undefined {
	if (question.kind === 'created') return { record };
	const count = wholeNumber(record[event.listed.countField]) ?? 0;
	if (question.kind === 'grown') {
		const { minimumIncrease } = question;
		return count < minimumIncrease ? undefined : { record, previous: Math.floor(count - minimumIncrease), count };
	}
	const threshold = passedThresholds(0, count, question.threshold, question.mode)?.last;
	return threshold === undefined ? undefined : { record, previous: Math.ceil(threshold) - 1, count, threshold };
}

/** A record that would not have been reported, in the shape of the event. */
function unfitting(record: ServiceRecord, { event, question }: TriggerSettings): Change {
	const count = wholeNumber(record[event.listed.countField]) ?? 0;
	return { record, previous: 0, count, ...(question.kind === 'reached' && { threshold: question.threshold }) };
}

function isNewer(a: ServiceRecord, b: ServiceRecord): boolean {
	if (dateOf(a) !== dateOf(b)) return dateOf(a) > dateOf(b);
	return (idOf(a) ?? 0) > (idOf(b) ?? 0);
}

function nothingThere(context: IPollFunctions, { event, selected }: TriggerSettings): NodeOperationError {
	const { noun } = event.listed;
	return selected === undefined
		? new NodeOperationError(context.getNode(), `There is no ${noun} in the account yet`, {
				description: `Create a ${noun}, then fetch a test event again.`,
			})
		: new NodeOperationError(context.getNode(), `None of the selected ${noun}s is there any more`, {
				description: `Select others, or set Watch to All.`,
			});
}
