import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { serviceAddress } from './address';
import { budgetFor } from './budgets';
import { REQUEST_DEFAULTS } from './connection';
import type { Answer } from './envelope';
import { exchange } from './exchange';
import { Fault } from './fault';
import { serviceKey, withoutKey } from './key';

/**
 * Tests a credential: reads the account (spec, GET /api/account). Fails with the service's own message on an error envelope,
 * also when the HTTP status is 200.
 */
export async function testConnection(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { helpers } = this;
	let key = '';
	try {
		const address = serviceAddress(credential.data?.baseUrl);
		key = serviceKey(credential.data?.apiKey);
		await exchange({
			budget: budgetFor(address, key),
			caller: {},
			failFast: true,
			method: 'GET',
			key,
			send: async () => {
				// The only way to send a request that n8n gives to a credential test.
				const { statusCode, headers, body } = (await helpers.request({
					method: 'GET',
					uri: `${address}/api/account`,
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
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		const text = error instanceof Fault ? `${error.message.replace(/\.$/, '')}. ${error.advice}` : error instanceof Error ? error.message : String(error);
		return { status: 'Error', message: withoutKey(text, key) };
	}
}
