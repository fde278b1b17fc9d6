import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { StoppedError } from '../n8n/stop';
import { withConnection } from '../service/connection';
import { ValueError } from '../service/errors';
import { idOf } from '../service/records';
import { sampleOf, type ServiceRecord } from '../watch';
import { toItem } from './events';
import { PollReader } from './pollReader';
import type { TriggerSettings } from './settings';

/** Time for all requests (ms): longer than the minute of a rate limit's window. */
const LONGEST = 90_000;
const MOST_SELECTED = 10;

/**
 * The item of "Fetch Test Event": the newest record of the first page (or of the selected ones) that fits the settings, or else the
 * newest. It is marked as a sample if anything in it is made up. The stored state is neither read nor changed.
 *
 * @throws NodeOperationError when there is no record; NodeApiError when the service fails
 */
export async function sample(context: IPollFunctions, settings: TriggerSettings): Promise<INodeExecutionData[][]> {
	const { event, question, selected } = settings;
	const { noun, countField } = event.listed;
	return await withConnection(context, async (connection) => {
		const end = { signal: AbortSignal.timeout(LONGEST), deadline: Date.now() + LONGEST };
		const reader = new PollReader(context, connection, event, end);
		const records = await recordsOf(reader, settings).catch((error: unknown) => {
			if (!(error instanceof StoppedError)) throw error;
			const message = 'The rate limit of the service left no time to fetch a test event';
			throw new ValueError(message, 'Other work with the same key has used it up. Try again in a minute.');
		});
		const newestFirst = records.sort((a, b) => (idOf(b) ?? 0) - (idOf(a) ?? 0));
		const shown = newestFirst.map((record) => sampleOf(record, question, countField));
		const best = shown.find(({ fits }) => fits) ?? shown[0];
		if (best === undefined) throw selected === undefined ? nothingThere(noun) : nothingLeft(noun);
		// A test knows no earlier count, so it makes one up.
		const isSample = !best.fits || best.change.previous !== undefined;
		const item = toItem(event, best.change, isSample ? { sample: true } : {});
		return [context.helpers.returnJsonArray([connection.redact.data(item)])];
	});
}

async function recordsOf(reader: PollReader, { selected }: TriggerSettings): Promise<ServiceRecord[]> {
	if (selected === undefined) {
		const first = (await reader.page(reader.list())) ?? [];
		return first.filter((record) => idOf(record) !== undefined);
	}
	const records: ServiceRecord[] = [];
	for (const id of selected.slice(0, MOST_SELECTED)) {
		const record = await reader.record(id);
		if (typeof record === 'object') records.push(record);
	}
	return records;
}

const nothingThere = (noun: string) =>
	new ValueError(`There is no ${noun} in the account yet`, `Create a ${noun}, then fetch a test event again.`);

const nothingLeft = (noun: string) =>
	new ValueError(`None of the selected ${noun}s exists any more`, 'Select others, or set Watch to All.');
