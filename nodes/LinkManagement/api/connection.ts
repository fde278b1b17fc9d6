import type {
	ICredentialDataDecryptedObject,
	IExecuteSingleFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import { CredentialError } from './apiError';
import { parseUrl, serviceAddress } from './baseUrl';
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
	/** What n8n gave: it authenticates each request with it, and need not decrypt it again. */
	credential: ICredentialDataDecryptedObject;
}

/** The n8n contexts that requests are sent from. */
export type RequestContext = IExecuteSingleFunctions | IPollFunctions | ILoadOptionsFunctions;

/**
 * n8n gives every credential that can be used in other nodes a list of domains, with `*.` before one for its subdomains. Some
 * versions hold only their own HTTP Request node to it: the key goes nowhere else from here either.
 */
function keepToDomains(
	{ allowedHttpRequestDomains, allowedDomains }: ICredentialDataDecryptedObject,
	address: string,
): void {
	if (allowedHttpRequestDomains !== 'domains') return;
	const domains = (typeof allowedDomains === 'string' ? allowedDomains : '')
		.split(',')
		.map((domain) => domain.trim().toLowerCase())
		.filter((domain) => domain !== '');
	if (domains.length === 0) {
		throw new CredentialError(
			'The credential is limited to domains, but names none. Enter the domain of the Base URL in Allowed Domains',
		);
	}
	const host = parseUrl(address)?.hostname ?? '';
	const holds = (domain: string) => (domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain);
	if (!domains.some(holds)) {
		throw new CredentialError(
			`The credential is limited to ${domains.join(', ')}, and its Base URL leads elsewhere. Change Allowed Domains, or the Base URL`,
		);
	}
}

/**
 * Reads the credential of the node.
 *
 * @throws CredentialError when its base URL or its key can't be used, or may not be used together
 */
export async function connect(context: {
	getCredentials(type: string): Promise<ICredentialDataDecryptedObject>;
}): Promise<Connection> {
	const credential = await context.getCredentials(CREDENTIAL);
	const address = serviceAddress(credential.baseUrl);
	const apiKey = serviceKey(credential.apiKey);
	keepToDomains(credential, address);
	return { address, apiKey, limiter: limiterFor(address, apiKey), credential };
}
