import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { connect } from '../service/connection';
import { toNodeError } from '../service/nodeError';
import { dateOf, idOf, passedThresholds, wholeNumber, type Change, type ServiceRecord } from '../watch';
import { toItem } from './events';
import { Reader } from './reader';
import type { TriggerSettings } from './settings';

/** Pages that are read, at most, to find a record that fits. */
const MOST_PAGES = 10;
/** Selected records that are read, at most. */
const MOST_SELECTED = 10;

/**
 * What "Fetch Test Event" shows: the newest record that fits the settings, in the event's shape. The stored state is
 * neither read nor changed.
 *
 * @throws NodeOperationError that says what is missing when no record fits; NodeApiError when the service fails
 */
export async function sample(context: IPollFunctions, settings: TriggerSettings): Promise<INodeExecutionData[][]> {
	let newest: Change | undefined;
	try {
		const reader = new Reader(context, await connect(context), settings.event);
		for await (const records of candidates(reader, settings)) {
			for (const record of records) {
				const change = changeOf(record, settings);
				if (change !== undefined && (newest === undefined || isNewer(record, newest.record))) newest = change;
			}
			if (newest !== undefined) break;
		}
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
	if (newest === undefined) throw nothingFits(context, settings);
	return [context.helpers.returnJsonArray([toItem(settings.event, newest)])];
}

/** Records to choose from, in batches: the newest that fits of the first batch that holds one is the sample. */
async function* candidates(reader: Reader, { event, selected }: TriggerSettings): AsyncGenerator<ServiceRecord[]> {
	if (selected !== undefined) {
		const records: ServiceRecord[] = [];
		for (const id of selected.slice(0, MOST_SELECTED)) {
			const record = await reader.record(id);
			if (record !== undefined) records.push(record);
		}
		yield records;
		return;
	}
	const first = await reader.page(1);
	const lastPage = first.maxpage ?? 1;
	if ('order' in event.query) {
		yield first.records;
		if (event.kind === 'grown') yield (await reader.page(1, undefined, { order: 'click' })).records;
		return;
	}
	// The service doesn't say in which order it lists QR codes: the newest are at one of the ends.
	const size = first.perpage;
	yield lastPage > 1 ? [...first.records, ...(await reader.page(lastPage, size)).records] : first.records;
	for (let page = 2; page < Math.min(lastPage, MOST_PAGES); page++) yield (await reader.page(page, size)).records;
}

/** The change that would have been reported about a record, if it had just come about. */
function changeOf(record: ServiceRecord, { event, question }: TriggerSettings): Change | undefined {
	if (idOf(record) === undefined) return undefined;
	if (question.kind === 'created') return { record };
	const count = wholeNumber(record[event.listed.countField]) ?? 0;
	if (question.kind === 'grown') {
		const { minimumIncrease } = question;
		return count < minimumIncrease ? undefined : { record, previous: Math.floor(count - minimumIncrease), count };
	}
	const threshold = passedThresholds(0, count, question.threshold, question.mode).at(-1);
	return threshold === undefined ? undefined : { record, previous: Math.ceil(threshold) - 1, count, threshold };
}

function isNewer(a: ServiceRecord, b: ServiceRecord): boolean {
	if (dateOf(a) !== dateOf(b)) return dateOf(a) > dateOf(b);
	return (idOf(a) ?? 0) > (idOf(b) ?? 0);
}

function nothingFits(context: IPollFunctions, { event, question, selected }: TriggerSettings): NodeOperationError {
	const { noun, counted } = event.listed;
	const which = selected === undefined ? `${noun}` : `selected ${noun}`;
	const [message, description] =
		question.kind === 'created'
			? [`There is no ${noun} in the account yet`, `Create a ${noun}, then fetch a test event again.`]
			: question.kind === 'grown'
				? [
						`No ${which} has ${question.minimumIncrease > 1 ? `${question.minimumIncrease} ${counted}` : counted} yet`,
						`Open a ${noun} once, then fetch a test event again.`,
					]
				: [
						`No ${which} has reached ${question.threshold} ${counted} yet`,
						'Lower the threshold for the test, then fetch a test event again.',
					];
	return new NodeOperationError(context.getNode(), message, { description });
}
