import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { requestOfTest } from '../engine/testRequest';
import { ApiError } from './apiError';
import { authenticated, connectionOf, type Connection, type RequestContext } from './connection';
import { mannerOfScreen, tooLate } from './screen';
import { speakerOf, type Speaker } from './sendRequest';

/** A credential's test has no node, and so none of n8n's authenticated requests. */
function contextOf(test: ICredentialTestFunctions, data: ICredentialDataDecryptedObject): RequestContext {
	const httpRequest = requestOfTest(test);
	return {
		helpers: {
			httpRequest,
			httpRequestWithAuthentication: async (_type, options) => await httpRequest(authenticated(data, options)),
		},
	};
}

/** Reads the account, or at least a link: a key may be made for links alone, and a service may not show the account. */
async function tryOut({ send }: Speaker): Promise<void> {
	await send({ method: 'GET', path: '/api/account' }).catch(async (failure: unknown) => {
		const isWithoutAccount = failure instanceof ApiError && (failure.kind === 'plan' || failure.endpoint !== undefined);
		if (!isWithoutAccount) throw failure;
		await send({ method: 'GET', path: '/api/urls', query: { limit: 1 } }).catch(() => {
			throw failure;
		});
	});
}

/**
 * Tests a credential: reads the account (spec, GET /api/account). Fails with the service's own message on an error envelope,
 * also when the HTTP status is 200. A key that may not read the account, but may read links, is good.
 */
export async function testConnection(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	let connection: Connection | undefined;
	try {
		connection = connectionOf(data);
		await tryOut(speakerOf(contextOf(this, data), connection, { ...mannerOfScreen(), failFast: true }));
		return { status: 'OK', message: 'Connection successful!' };
	} catch (caught) {
		const error = tooLate(caught);
		const told = error instanceof Error ? error.message : String(error);
		const text = error instanceof ApiError ? `${told.replace(/\.$/, '')}. ${adviceOf(error)}` : told;
		return { status: 'Error', message: connection?.redact.text(text) ?? text };
	}
}

/** What to do, where there is no operation to change. */
function adviceOf({ endpoint, advice }: ApiError): string {
	return endpoint === undefined
		? advice
		: 'Check the Base URL in the Link Management API credential, or ask the service.';
}
