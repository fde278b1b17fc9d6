import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { ValueError } from '../service/answer/errors';
import { withConnection } from '../service/connection';
import { idOf } from '../service/records';
import { sampleOf, type ServiceRecord } from '../watch';
import { toItem } from './events';
import { PollClient } from './pollClient';
import { readSettings } from './settings';
import { WatchedRecords } from './watchedRecords';

/** Time for all requests (ms): longer than the minute of a rate limit's window. */
const LONGEST_TEST = 90_000;

/**
 * The item of "Fetch Test Event": the newest record of the first page, or of the chosen ones that come first. It is marked as a sample
 * if its earlier count is made up. The stored state is neither read nor changed.
 *
 * @throws NodeOperationError when there is no record, or a parameter can't be used; NodeApiError when the service fails
 */
export async function sample(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	return await withConnection(context, async (connection) => {
		const { event, watch } = readSettings(context);
		const end = { signal: AbortSignal.timeout(LONGEST_TEST), deadline: Date.now() + LONGEST_TEST };
		const client = new PollClient(context, connection, { priority: 'people', reader: '', isAlone: true, ...end });
		const records = new WatchedRecords(client, event);
		const wanted = watch.selected && new Set(watch.selected);
		let shown: Array<[id: number, record: ServiceRecord]> = [];
		while (shown.length === 0 && !records.isOver)
			shown = (await records.next(client, wanted)).flatMap((record) => {
				const id = idOf(record);
				return id !== undefined && wanted?.has(id) !== false ? [[id, record]] : [];
			});
		const [newest] = shown.sort(([a], [b]) => b - a);
		if (newest === undefined) throw nothingThere(event.listed.noun, wanted === undefined);
		const isMadeUp = watch.kind !== 'created';
		const item = toItem(event, sampleOf(newest[1], watch), isMadeUp ? { sample: true } : {});
		return [context.helpers.returnJsonArray([connection.redact.data(item)])];
	});
}

const nothingThere = (noun: string, isOfAll: boolean) =>
	isOfAll
		? new ValueError(`There is no ${noun} in the account yet`, `Create a ${noun}, then fetch a test event again.`)
		: new ValueError(`None of the selected ${noun}s exists any more`, 'Select others, or set Watch to All.');
