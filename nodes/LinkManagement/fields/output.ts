import type { IDataObject } from 'n8n-workflow';

import type { Output } from '../execution/execute';

/** Runs over the records of an answer: from the service's record to what the item holds. */
export function eachRecord(shape: (record: IDataObject) => IDataObject): Output {
	return (records) => records.map(shape);
}

/**
 * The item of an update or an assignment: `{ success: true, message, … }` with the IDs it was about.
 *
 * @param ids output name → path parameter that holds the ID
 */
export function succeeded(ids: Record<string, string>): Output {
	return (records, { request }) => {
		const named = Object.fromEntries(
			Object.entries(ids).map(([name, parameter]) => [name, Number(request.pathValues[parameter])]),
		);
		return records.map((record) => ({ success: true, ...record, ...named }));
	};
}

/** The item of a deletion: `{ deleted: true, message, id }`. */
export function deleted(parameter: string): Output {
	return (records, { request }) =>
		records.map((record) => ({ deleted: true, ...record, id: Number(request.pathValues[parameter]) }));
}
