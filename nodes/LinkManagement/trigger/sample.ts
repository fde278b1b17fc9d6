import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { withConnection } from '../service/connection';
import { ValueError } from '../service/answer/errors';
import { idOf } from '../service/records';
import { type Change, sampleOf, WatchedRecords } from '../watch';
import { toItem } from './events';
import { PollReader } from './pollReader';
import type { TriggerSettings } from './settings';

/** Time for all requests (ms): longer than the minute of a rate limit's window. */
const LONGEST = 90_000;
/** Most requests, once a record was found. */
const MOST_REQUESTS = 10;

/**
 * The item of "Fetch Test Event": the newest record that fits the settings, or else the newest, of all or of the selected ones. It is
 * marked as a sample if anything in it is made up. The stored state is neither read nor changed.
 *
 * @throws NodeOperationError when there is no record; NodeApiError when the service fails
 */
export async function sample(context: IPollFunctions, settings: TriggerSettings): Promise<INodeExecutionData[][]> {
	const { event, selected } = settings;
	return await withConnection(context, async (connection) => {
		const end = { signal: AbortSignal.timeout(LONGEST), deadline: Date.now() + LONGEST };
		const how = { priority: 'people' as const, reader: '', isAlone: true, ...end };
		const reader = new PollReader(context, connection, event, how);
		const { shown, isWhole } = await newest(reader, settings);
		const best = shown.find(({ fits }) => fits) ?? shown[0];
		if (best === undefined && !isWhole) throw noTime();
		if (best === undefined)
			throw selected === undefined ? nothingThere(event.listed.noun) : nothingLeft(event.listed.noun);
		// A test knows no earlier count, so it makes one up.
		const isSample = !best.fits || best.change.previous !== undefined;
		const item = toItem(event, best.change, isSample ? { sample: true } : {});
		return [context.helpers.returnJsonArray([connection.redact.data(item)])];
	});
}

/** The newest records that are watched, and what their last change would be: the newest first. */
async function newest(reader: PollReader, { event, question, selected }: TriggerSettings) {
	const { countField, recordPath, query } = event.listed;
	const newestFirst = selected && [...selected].reverse();
	const watched = new WatchedRecords({
		question,
		countField,
		selected: newestFirst,
		hasSingles: recordPath !== undefined,
	});
	const shown: Array<ReturnType<typeof sampleOf>> = [];
	for (let requests = 0; !watched.isOver && (requests < MOST_REQUESTS || shown.length === 0); requests++) {
		const records = await watched.next(reader);
		if (records === undefined) break;
		const usable = records.filter((record) => idOf(record) !== undefined);
		shown.push(...usable.map((record) => sampleOf(record, question, countField)));
		// Links come newest first, selected ones too.
		if (query !== undefined && shown.some(({ fits }) => fits)) break;
	}
	const idIn = ({ change }: { change: Change }) => idOf(change.record)!;
	return { shown: shown.sort((a, b) => idIn(b) - idIn(a)), isWhole: watched.isOver };
}

const noTime = () =>
	new ValueError(
		'There was no time to fetch a test event',
		'The rate limit of the service is used up, or its list is long. Try again in a minute.',
	);

const nothingThere = (noun: string) =>
	new ValueError(`There is no ${noun} in the account yet`, `Create a ${noun}, then fetch a test event again.`);

const nothingLeft = (noun: string) =>
	new ValueError(`None of the selected ${noun}s exists any more`, 'Select others, or set Watch to All.');
