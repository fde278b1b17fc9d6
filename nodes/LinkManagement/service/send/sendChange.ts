import type { IDataObject } from 'n8n-workflow';

import { ApiError } from '../answer/errors';
import { recordIn } from '../records';
import type { ServiceClient, ServiceRequest } from './serviceClient';

/**
 * Sends a change.
 *
 * @param find looks for the record that a creation would have made, if the answer is lost or does not tell
 * @returns the record of the answer, or the one that `find` gave
 */
export async function sendChange(
	client: ServiceClient,
	request: ServiceRequest,
	find?: () => Promise<IDataObject | undefined>,
): Promise<IDataObject> {
	const isCreation = find !== undefined && request.method === 'POST';
	const answer = await client.send({ ...request, isCreation }).catch((error: unknown) => {
		if (!(error instanceof ApiError && error.kind === 'uncertain')) throw error;
		return error;
	});
	if (!(answer instanceof ApiError)) return recordIn(answer);
	const record = await find?.().catch(() => undefined);
	if (record === undefined) throw answer;
	return record;
}
