import type { INodeExecutionData, IPollFunctions, NodeOperationError } from 'n8n-workflow';

import { StoppedError } from '../n8n/stop';
import { connect, type Connection } from '../service/connection';
import { toNodeError } from '../service/errors';
import { idOf } from '../service/records';
import { sampleOf, type ServiceRecord } from '../watch';
import { toItem } from './events';
import { Reader } from './reader';
import { refusal, type TriggerSettings } from './settings';

/** Somebody waits for it: time for it all (ms), which is more than the minute that the rate limit is reckoned by. */
const LONGEST = 90_000;
const MOST_SELECTED = 10;

/**
 * What "Fetch Test Event" shows: of the records on the list's first page (or the selected ones) the newest that fits the settings, in
 * the event's shape; where none does, the newest. Both are marked as samples where anything in them is made up. The stored state is
 * neither read nor changed.
 *
 * @throws NodeOperationError when there is no record at all; NodeApiError when the service fails
 */
export async function sample(context: IPollFunctions, settings: TriggerSettings): Promise<INodeExecutionData[][]> {
	const { event, question } = settings;
	let connection: Connection | undefined;
	try {
		connection = await connect(context);
		const records = await recordsOf(new Reader(context, connection, event, LONGEST), settings);
		const newestFirst = records.sort((a, b) => (idOf(b) ?? 0) - (idOf(a) ?? 0));
		const shown = newestFirst.map((record) => sampleOf(record, question, event.listed.countField));
		const best = shown.find(({ fits }) => fits) ?? shown[0];
		if (best === undefined) throw nothingThere(context, settings);
		// A test knows no earlier count: the one that it shows is made up.
		const isSample = !best.fits || best.change.previous !== undefined;
		const item = toItem(event, best.change, isSample ? { sample: true } : {});
		return [context.helpers.returnJsonArray([connection.redact.data(item)])];
	} catch (error) {
		if (!(error instanceof StoppedError)) throw toNodeError(context.getNode(), error, connection?.redact);
		throw refusal(
			context,
			'The rate limit of the service left no time to fetch a test event',
			'Other work with the same key has used it up. Try again in a minute.',
		);
	}
}

async function recordsOf(reader: Reader, { selected }: TriggerSettings): Promise<ServiceRecord[]> {
	if (selected === undefined) return (await reader.page()).records.filter((record) => idOf(record) !== undefined);
	const records: ServiceRecord[] = [];
	for (const id of selected.slice(0, MOST_SELECTED)) {
		const record = await reader.record(id);
		if (record !== 'gone' && record !== 'unknown') records.push(record);
	}
	return records;
}

function nothingThere(context: IPollFunctions, { event, selected }: TriggerSettings): NodeOperationError {
	const { noun } = event.listed;
	return selected === undefined
		? refusal(context, `There is no ${noun} in the account yet`, `Create a ${noun}, then fetch a test event again.`)
		: refusal(context, `None of the selected ${noun}s exists any more`, `Select others, or set Watch to All.`);
}
