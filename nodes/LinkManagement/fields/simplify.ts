import type { IDataObject } from 'n8n-workflow';

import { flatRecord } from '../service/records';
import type { Field } from '../run/request';
import type { Row } from '../run/row';
import { setting, switchField } from './inputs';

export const simplify: Field = setting(
	switchField('Simplify', 'simplify', {
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	}),
);

/** One flat record, unless the user wants the response as it was sent. */
export function simplified({ request }: Row, sent: IDataObject, flat = flatRecord): IDataObject {
	return request.options.simplify === false ? sent : flat(sent);
}
