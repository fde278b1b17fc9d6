import type { IDataObject } from 'n8n-workflow';

import { namesOfLink } from '../links/row';
import { knownName } from '../links/names';
import type { Output, Row } from '../run/row';

/** Runs over the records of an answer: from the service's record to what the item holds. */
export function eachRecord(shape: (record: IDataObject) => IDataObject): Output {
	return (records) => records.map(shape);
}

/** What names the link, campaign or channel that a row was about, as far as it is known without a further request. */
function namesIn(row: Row): IDataObject {
	const { linkId, itemType, itemId } = row.request.pathValues;
	const link = linkId ?? (itemType === 'links' ? itemId : undefined);
	return {
		...knownName(row, 'campaign'),
		...knownName(row, 'channel'),
		...(link === undefined ? {} : namesOfLink(row, link)),
	};
}

/**
 * The item of an update, an assignment or a deletion: `{ success: true, message, … }` with the IDs it was about, and names.
 *
 * @param ids output name → path parameter that holds the ID
 * @param flag says that it was done
 */
export function succeeded(ids: Record<string, string>, flag: 'success' | 'deleted' = 'success'): Output {
	return (records, row) => {
		const { pathValues } = row.request;
		const given = Object.fromEntries(
			Object.entries(ids).map(([name, parameter]) => [name, Number(pathValues[parameter])]),
		);
		const names = namesIn(row);
		return records.map((record) => ({ [flag]: true, ...names, ...record, ...given }));
	};
}
