import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { asPlainText } from '../n8n/messages';
import { requestOfTest } from '../n8n/requests';
import { authenticated, type Connection, connectionOf, type RequestContext } from '../service/connection';
import { ACCOUNT, LISTS } from '../service/endpoints';
import { adviceOf, ApiError } from '../service/answer/errors';
import { readPage } from '../service/lists/page';
import { ServiceClient } from '../service/send/serviceClient';
import { interactiveOptions } from './dropdown';

/** A context that can send requests: a credential's test has no node, and none of n8n's authenticated requests. */
function contextOf(test: ICredentialTestFunctions, data: ICredentialDataDecryptedObject): RequestContext {
	const httpRequest = requestOfTest(test);
	return {
		helpers: {
			httpRequest,
			httpRequestWithAuthentication: async (_type, options) => await httpRequest(authenticated(data, options)),
		},
	};
}

const NO_RIGHTS = `The API Key works, but this test can read nothing with it. Open the key in your account at the service and add the right to use one of these: ${ACCOUNT}, ${LISTS.links.path}.`;

/** Reads the account, or else links: keys may have rights by resource. @returns a remark @throws ApiError if neither can be read */
async function tryOut(client: ServiceClient): Promise<string> {
	const failure = await client.send({ method: 'GET', path: ACCOUNT }).catch((error: unknown) => {
		if (!(error instanceof ApiError) || ['key', 'service'].includes(error.affects)) throw error;
		return error;
	});
	if (!(failure instanceof ApiError)) return '';
	const isLacking = failure.kind === 'missingScope';
	await readPage(client, LISTS.links, { page: 1, limit: 1 }).catch((error: unknown) => {
		const areLacking = isLacking && error instanceof ApiError && error.kind === 'missingScope';
		throw areLacking ? failure.with({ advice: NO_RIGHTS }) : failure;
	});
	return isLacking ? ` This API Key has no right to use ${ACCOUNT}.` : '';
}

/** Says which address is used, if it is not what was entered. */
function addressNote(entered: unknown, { address }: Connection): string {
	const text = String(entered).trim();
	return text.startsWith(address) && /^(?:\/api)?\/*$/i.test(text.slice(address.length))
		? ''
		: ` The nodes use ${address}.`;
}

/**
 * Tests a credential: reads the account (spec, GET /api/account), or else links, since keys may have rights by resource. It fails for
 * anything that is not a success of this API.
 */
export async function testConnection(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	let connection: Connection | undefined;
	try {
		connection = connectionOf(data);
		const remark = await tryOut(new ServiceClient(contextOf(this, data), connection, interactiveOptions()));
		return { status: 'OK', message: `Connection successful!${remark}${addressNote(data.baseUrl, connection)}` };
	} catch (error) {
		const { message } = error as Error;
		if (connection === undefined) return { status: 'Error', message };
		const advice = error instanceof ApiError ? `. ${adviceOf(error)}${addressNote(data.baseUrl, connection)}` : '';
		return { status: 'Error', message: asPlainText(connection.redact.text(`${message}${advice}`)) };
	}
}
