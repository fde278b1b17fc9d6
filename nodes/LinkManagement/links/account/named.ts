import type { IDataObject } from 'n8n-workflow';

import { mapYielding } from '../../n8n/slices';
import type { LinkRow } from '../linkRow';
import { isReference, type Reference } from '../reference';

/** The place of a request in which a record is named. */
export interface Named<R extends Reference = Reference> {
	readonly row: LinkRow;
	readonly reference: R;
	put(value: number | string): void;
}

function namedAmong<R extends Reference>(
	row: LinkRow,
	values: IDataObject | unknown[],
	isMeant: (reference: Reference) => reference is R,
): Array<Named<R>> {
	return Object.entries(values).flatMap(([name, value]: [string, unknown]) => {
		if (Array.isArray(value)) return namedAmong(row, value, isMeant);
		if (!isReference(value) || !isMeant(value)) return [];
		return [{ row, reference: value, put: (found) => void Object.assign(values, { [name]: found }) }];
	});
}

/** The records that the requests of rows name. */
export async function namedIn<R extends Reference>(
	rows: readonly LinkRow[],
	isMeant: (reference: Reference) => reference is R,
): Promise<Array<Named<R>>> {
	const named = await mapYielding(rows, (row) =>
		[row.request.pathValues, row.request.body].flatMap((values) => namedAmong(row, values, isMeant)),
	);
	return named.flat();
}
