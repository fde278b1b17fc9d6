/** Lists for a model: a small page a call, with what is left of the list. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { readPage } from '../service/lists/page';
import type { Row } from './row';

const MOST_FOR_MODEL = 100;
/** Longest text (characters) of a record, and most fields of one. */
const LONGEST_FOR_MODEL = 60;
const MOST_FIELDS = 40;

/** A page of a list, as a model gets it. */
export interface ModelPage {
	records: IDataObject[];
	/** How many records the whole list has, if the service says so. */
	total?: number;
	more: boolean;
	/** What the model has to know besides. */
	note?: string;
}

/** The page that a call asks for. @param path of the list */
export async function readModelPage(row: Row, path: string): Promise<ModelPage> {
	const { options, query } = row.request;
	const limit = options.returnAll === true ? MOST_FOR_MODEL : Math.min(Number(options.limit), MOST_FOR_MODEL);
	const page = Number(options.page ?? 1);
	const list = { path, collection: row.run.operation.list!, query };
	const { records: all, result, nextpage, maxpage } = await readPage(row.account.client, list, { page, limit });
	const records = all.slice(0, limit);
	const end = (page - 1) * limit + records.length;
	if (records.length === 0) return { records, total: result, more: false };
	// Some services count the page.
	const total = result !== undefined && result >= end ? result : undefined;
	const announced = nextpage ?? maxpage;
	const isFull = total === undefined ? records.length >= limit : end < total;
	const more = all.length > limit || (announced === undefined ? isFull : announced > page);
	return { records, total: more ? total : (total ?? end), more };
}

function shortened(value: IDataObject[string]): IDataObject[string] {
	const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
	return typeof text === 'string' && text.length > LONGEST_FOR_MODEL
		? `${text.slice(0, LONGEST_FOR_MODEL - 1)}…`
		: value;
}

/** The item of a page. Nothing found is said in a sentence. @param fields of a record; by default, all */
export function modelItem({ records, total, more, note }: ModelPage, fields?: readonly string[]): INodeExecutionData {
	const shown = records.map((record) => {
		const names = fields ?? Object.keys(record).slice(0, MOST_FIELDS);
		return Object.fromEntries(names.map((name) => [name, shortened(record[name])]));
	});
	const told = note ?? (records.length === 0 ? 'There are no records here.' : undefined);
	return {
		json: { total, returned: records.length, more, ...(told === undefined ? {} : { note: told }), records: shown },
	};
}
