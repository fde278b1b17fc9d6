import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteSingleFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import { serviceAddress } from './address';
import { budgetFor } from './budgets';
import type { Answer } from './envelope';
import { exchange } from './exchange';
import { serviceKey } from './key';
import type { Budget } from './pacing';

/** The credential type of both nodes. */
export const CREDENTIAL = 'linkManagementApi';

/** Request settings that every request of the package has, wherever it is sent from. */
export const REQUEST_DEFAULTS = {
	headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
	// Every HTTP status is read in one place, with its rate-limit headers.
	ignoreHttpStatusErrors: true,
	// A redirect is reported, never followed: the key goes to no other host, and a creation is not turned into a GET.
	disableFollowRedirect: true,
	sendCredentialsOnCrossOriginRedirect: false,
};

/** A service and key, and the rate-limit budget that belongs to them. */
export interface Connection {
	address: string;
	apiKey: string;
	budget: Budget;
	/** What n8n gave: it authenticates each request with it, and need not decrypt it again. */
	credential: ICredentialDataDecryptedObject;
}

/** The n8n contexts that requests are sent from. */
export type RequestContext = IExecuteSingleFunctions | IPollFunctions | ILoadOptionsFunctions;

/**
 * Reads the credential of the node.
 *
 * @throws CredentialError when its base URL or its key can't be used
 */
export async function connect(context: { getCredentials(type: string): Promise<ICredentialDataDecryptedObject> }): Promise<Connection> {
	const credential = await context.getCredentials(CREDENTIAL);
	const address = serviceAddress(credential.baseUrl);
	const apiKey = serviceKey(credential.apiKey);
	return { address, apiKey, budget: budgetFor(address, apiKey), credential };
}

/** A request as the package describes it: path below the base URL, query, body. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** n8n's own settings (time-out, proxy, certificates) of the node that the request belongs to. */
	settings?: Partial<IHttpRequestOptions>;
}

/** Who sends a request, and how long it may wait. */
export interface Manner {
	/** Turns go round between callers. */
	caller: object;
	signal?: AbortSignal;
	failFast?: boolean;
}

/**
 * Sends one request of a trigger, a dropdown or a look-up, with the key, in its turn.
 *
 * @returns a successful answer
 * @throws Fault, StoppedError: see `exchange`
 */
export async function speak(
	context: RequestContext,
	connection: Connection,
	request: ServiceRequest,
	manner: Manner,
): Promise<Answer> {
	const { method, path, query, body, settings } = request;
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data: connection.credential };
	return await exchange({
		...manner,
		method,
		budget: connection.budget,
		key: connection.apiKey,
		send: async () =>
			(await context.helpers.httpRequestWithAuthentication.call(
				context,
				CREDENTIAL,
				{
					...REQUEST_DEFAULTS,
					...settings,
					headers: { ...REQUEST_DEFAULTS.headers },
					method,
					baseURL: connection.address,
					url: path,
					qs: query ?? {},
					...(body === undefined ? {} : { body }),
					returnFullResponse: true,
				},
				{ credentialsDecrypted },
			)) as Answer,
	});
}
