import type { IDataObject } from 'n8n-workflow';

import { flatRecord } from '../api/flatRecord';
import { readParameter } from '../engine/parameter';
import type { Field } from '../run/request';
import type { Row } from '../run/row';
import { switchField } from './inputs';

export const simplify: Field = switchField('Simplify', 'simplify', {
	default: true,
	rule: undefined,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

/** One flat record, unless the user wants the response as it was sent. */
export function simplified({ context }: Row, sent: IDataObject, flat = flatRecord): IDataObject {
	return readParameter(context, 'simplify') === false ? sent : flat(sent);
}
