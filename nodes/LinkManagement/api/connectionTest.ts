import type { ICredentialsDecrypted, ICredentialTestFunctions, INodeCredentialTestResult } from 'n8n-workflow';

import { serviceAddress } from './baseUrl';
import { limiterFor } from '../rateLimit/limiters';
import { REQUEST_DEFAULTS } from './connection';
import type { Answer } from './envelope';
import { requestWithRetry } from './retry';
import { ApiError } from './apiError';
import { serviceKey, withoutKey } from './apiKey';

/**
 * Whether another reading shows that the key is good: a key may be made for links alone, without the account.
 */
async function mayReadLinks(get: (path: string) => Promise<unknown>): Promise<boolean> {
	return await get('/api/urls?limit=1').then(
		() => true,
		() => false,
	);
}

/**
 * Tests a credential: reads the account (spec, GET /api/account). Fails with the service's own message on an error envelope,
 * also when the HTTP status is 200. A key that may not read the account, but may read links, is good.
 */
export async function testConnection(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { helpers } = this;
	let key = '';
	const get = async (address: string, path: string) =>
		await requestWithRetry({
			limiter: limiterFor(address, key),
			caller: {},
			interactive: true,
			failFast: true,
			method: 'GET',
			path,
			key,
			send: async () => {
				// The only way to send a request that n8n gives to a credential test.
				const { statusCode, headers, body } = (await helpers.request({
					method: 'GET',
					uri: `${address}${path}`,
					headers: { ...REQUEST_DEFAULTS.headers, Authorization: `Bearer ${key}` },
					json: true,
					simple: false,
					followRedirect: false,
					followAllRedirects: false,
					resolveWithFullResponse: true,
				})) as Answer;
				return { statusCode, headers, body };
			},
		});
	try {
		const address = serviceAddress(credential.data?.baseUrl);
		key = serviceKey(credential.data?.apiKey);
		await get(address, '/api/account').catch(async (error: unknown) => {
			const isForbidden = error instanceof ApiError && error.kind === 'rejected' && error.statusCode === 403;
			if (!isForbidden || !(await mayReadLinks(async (path) => await get(address, path)))) throw error;
		});
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		const text =
			error instanceof ApiError
				? `${error.message.replace(/\.$/, '')}. ${error.advice}`
				: error instanceof Error
					? error.message
					: String(error);
		return { status: 'Error', message: withoutKey(text, key) };
	}
}
