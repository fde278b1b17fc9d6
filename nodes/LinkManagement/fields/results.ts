import type { IDataObject } from 'n8n-workflow';

import { namesOfLink } from '../links/linkRow';
import { nameOfChosen } from '../links/account';
import type { Field } from '../run/request';
import type { Row, Output } from '../run/row';
import { flatRecord } from '../service/records';
import { asOption, switchField } from './inputs';

export const simplify: Field = asOption(
	switchField('Simplify', 'simplify', {
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	}),
);

/** One flat record, or with Simplify off the response as sent. */
export function simplified({ request }: Row, sent: IDataObject, flat: typeof flatRecord): IDataObject {
	return request.options.simplify === false ? sent : flat(sent);
}

/** A created record, completed by what was sent: some services answer only with its ID. */
export const withSent: Output = (records, { request: { body } }) =>
	records.map((record) => ({
		...record,
		...Object.fromEntries(Object.entries(body).filter(([name]) => !(name in record))),
	}));

/**
 * Makes the item of an update, an assignment or a deletion: `{ success: true, message, … }` with the IDs, and with what names the
 * record, if that is known without a request: the alias and short URL of a link, the name of another.
 *
 * @param ids name in the item → path parameter that holds the ID
 * @param flag the field that is true
 */
export function succeeded(ids: Record<string, string>, flag: 'success' | 'deleted' = 'success'): Output {
	return (records, row) => {
		const { pathValues } = row.request;
		const { linkId, itemType, itemId } = pathValues;
		const link = linkId ?? (itemType === 'links' ? itemId : undefined);
		const names = {
			...(flag === 'deleted' ? nameOfChosen(row) : {}),
			...(link === undefined ? {} : namesOfLink(row, link)),
		};
		const given = Object.entries(ids).map(([name, parameter]) => [name, Number(pathValues[parameter])] as const);
		return records.map((record) => ({ [flag]: true, ...names, ...record, ...Object.fromEntries(given) }));
	};
}
