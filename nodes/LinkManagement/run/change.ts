import type { IDataObject } from 'n8n-workflow';

import { ApiError } from '../api/apiError';
import { recordIn } from '../api/records';
import type { ServiceRequest } from '../api/sendRequest';
import { StoppedError } from '../rateLimit/cancellation';
import type { Row } from './row';

/** What a lost answer leaves open. */
function openError(error: ApiError, method: string): ApiError {
	const made = method === 'POST' ? 'It may have been created' : 'The change may have been made';
	return new ApiError(
		'uncertain',
		`${error.message}. ${made} all the same`,
		`The request was sent, but its answer did not arrive. It was not sent again, so that nothing is done twice. Look at the service before you run this row again. ${error.advice}`,
		error.statusCode,
	);
}

/**
 * Sends a change, and finds out what became of it when its answer was lost.
 *
 * @param find gives the record that the change would have made, or undefined when it is not there
 * @param request the row's own unless another is given
 * @returns the record of the answer, or the one that was found
 * @throws ApiError; `uncertain` when nobody can tell whether the change was made
 */
export async function sendChange(
	row: Row,
	find: () => Promise<IDataObject | undefined> = async () => undefined,
	request: ServiceRequest = row.request,
): Promise<IDataObject> {
	const answer = await row.send(request).catch((error: unknown) => {
		if (!(error instanceof ApiError && error.kind === 'uncertain')) throw error;
		return openError(error, request.method);
	});
	if (!(answer instanceof ApiError)) return recordIn(answer);
	const record = await find().catch((failure: unknown) => {
		throw failure instanceof StoppedError ? failure : answer;
	});
	if (record === undefined) throw answer;
	return record;
}
