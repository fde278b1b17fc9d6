import type { IDataObject } from 'n8n-workflow';

import { ListReader, readRecords } from '../service/listReader';
import type { ConnectedRow } from './row';

/**
 * Reads the records of a list that a row wants: all, or as many as its Limit says. A hint says if the list is not whole.
 *
 * @returns the records as the service sends them, and how many the whole list has, if the service says so
 */
export async function readMany(row: ConnectedRow): Promise<{ records: IDataObject[]; total?: number }> {
	const { path, query, options } = row.request;
	const collection = row.run.operation.list!;
	const most = options.returnAll === true ? Infinity : Number(options.limit);
	const list = new ListReader(row, { path, query, collection }, { most, ifShort: 'tell' });
	const records = (await readRecords(list)).slice(0, most);
	if (list.isShort) {
		const of = `${list.total! - list.missing} of ${list.total} records`;
		row.atEnd(
			`${path} is short`,
			() => `This list is not whole: it has ${of}. The service shows some of them twice and leaves others out.`,
		);
	}
	return { records, total: list.total };
}
