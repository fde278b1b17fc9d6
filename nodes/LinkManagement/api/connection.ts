import type {
	ICredentialDataDecryptedObject,
	IExecuteSingleFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import { CredentialError } from './apiError';
import { serviceAddress } from './baseUrl';
import { limiterFor } from '../rateLimit/limiters';
import { serviceKey } from './apiKey';
import type { RateLimiter } from '../rateLimit/rateLimiter';

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

/** A service and key, and the rate limiter that belongs to them. */
export interface Connection {
	address: string;
	apiKey: string;
	limiter: RateLimiter;
	/** The domains that the credential is limited to, as n8n's own field of it has them. */
	allowedDomains?: string;
	/** What n8n gave: it authenticates each request with it, and need not decrypt it again. */
	credential: ICredentialDataDecryptedObject;
}

/** The n8n contexts that requests are sent from. */
export type RequestContext = IExecuteSingleFunctions | IPollFunctions | ILoadOptionsFunctions;

/** n8n gives every credential that can be used in other nodes a list of domains; its HTTP helper keeps to what it is handed. */
function allowedDomainsOf({
	allowedHttpRequestDomains,
	allowedDomains,
}: ICredentialDataDecryptedObject): string | undefined {
	if (allowedHttpRequestDomains !== 'domains') return undefined;
	if (typeof allowedDomains === 'string' && allowedDomains.trim() !== '') return allowedDomains;
	throw new CredentialError(
		'The credential is limited to domains, but names none. Enter the domain of the Base URL in Allowed Domains',
	);
}

/**
 * Reads the credential of the node.
 *
 * @throws CredentialError when its base URL or its key can't be used
 */
export async function connect(context: {
	getCredentials(type: string): Promise<ICredentialDataDecryptedObject>;
}): Promise<Connection> {
	const credential = await context.getCredentials(CREDENTIAL);
	const address = serviceAddress(credential.baseUrl);
	const apiKey = serviceKey(credential.apiKey);
	const allowedDomains = allowedDomainsOf(credential);
	return { address, apiKey, limiter: limiterFor(address, apiKey), allowedDomains, credential };
}
