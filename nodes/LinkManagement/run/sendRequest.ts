/** Sends what rows ask for. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { pathOf } from '../service/endpoints';
import { ListReader, readRecords } from '../service/lists/listReader';
import { sendChange } from '../service/send/sendChange';
import type { ServiceRequest } from '../service/send/serviceClient';
import { modelItem, readModelPage } from './modelList';
import type { Row } from './row';

export function requestOf(row: Row): ServiceRequest {
	const { method, query, body, pathValues } = row.request;
	return { method, path: pathOf(row.run.operation.request.url, pathValues), query, body };
}

/** Reads the records that a row wants: all, or as many as its Limit says. A hint says if the list is not whole. @returns also the list's total */
export async function readMany(row: Row): Promise<{ records: IDataObject[]; total?: number }> {
	const { options } = row.request;
	const { path, query } = requestOf(row);
	const collection = row.run.operation.list!;
	const most = options.returnAll === true ? Infinity : Number(options.limit);
	const list = new ListReader(row.account.client, { path, query, collection }, { most, ifShort: 'tell' });
	const records = (await readRecords(list)).slice(0, most);
	if (list.isShort) {
		const of = `${list.total! - list.missing} of ${list.total} records`;
		const words = list.hasFallen
			? 'This list may not be whole: records were deleted while it was read, each time.'
			: `This list is not whole: it has ${of}. The service shows some of them twice and leaves others out.`;
		row.atEnd(`${path} is short`, () => words);
	}
	return { records, total: list.total };
}

function fitted(row: Row, records: IDataObject[]): IDataObject[] {
	return (row.run.operation.output ?? []).reduce((before, step) => step(before, row), records);
}

/** Sends the request of a row, and makes an item of the answer. */
export async function sendRequest(row: Row): Promise<INodeExecutionData[]> {
	const { client } = row.account;
	const request = requestOf(row);
	const answer = request.method === 'GET' ? await client.send(request) : await sendChange(client, request);
	return fitted(row, [answer]).map((json) => ({ json }));
}

/** Makes items of the list that a row asks for. */
export async function sendForList(row: Row): Promise<INodeExecutionData[]> {
	const { records } = await readMany(row);
	return fitted(row, records).map((json) => ({ json }));
}

/** Makes one item of the page of the list that a model asks for. */
export async function sendForPage(row: Row): Promise<INodeExecutionData[]> {
	const page = await readModelPage(row, requestOf(row).path);
	return [modelItem({ ...page, records: fitted(row, page.records) })];
}
