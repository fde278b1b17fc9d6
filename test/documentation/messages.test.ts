/** docs/troubleshooting.md: each message that stands there is brought about, and read from what the user sees. */
import { once } from 'events';
import type { RequestListener } from 'http';
import { createServer as createTlsServer } from 'https';
import type { AddressInfo } from 'net';

import type { IDataObject } from 'n8n-workflow';
import { generate } from 'selfsigned';

import { by, run, testCredential, type Credential } from '../engine/host';
import { TriggerHost } from '../engine/pollHost';
import { serve } from '../engine/serve';
import type { Sandbox } from '../sandbox';
import { freshSandbox } from '../sandbox/fresh';
import { page, tableOf } from './markdown';

let sandbox: Sandbox;

freshSandbox({ limit: { requests: null }, onViolation: () => undefined }, (started) => (sandbox = started));

async function answering(listener: RequestListener): Promise<Credential> {
	return { baseUrl: await serve(listener), apiKey: 'a-key-of-the-service' };
}

const ours = (): Credential => ({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
const account = { resource: 'account', operation: 'get' };
const link = (fields: IDataObject = {}, more: IDataObject = {}) => ({
	resource: 'link',
	operation: 'create',
	url: 'https://example.com',
	linkFields: fields,
	...more,
});

/** The message of the error that these parameters end in. */
async function messageOf(parameters: IDataObject, credential = ours()): Promise<string> {
	const { error } = await run(parameters, { credential });
	return error?.message ?? '';
}

/** The message where a service answers everything so. */
async function answeredWith(body: string, status = 200, headers: Record<string, string> = {}): Promise<string> {
	return await messageOf(
		account,
		await answering((_request, response) => response.writeHead(status, headers).end(body)),
	);
}

const NO_KEY = '{"error":1,"message":"A valid API key is required to use this service."}';

/** What the credential test says, which tries once: a run tries a connection again for a while. */
async function credentialTestOf(credential: Credential): Promise<string> {
	return (await testCredential(credential)).message;
}

/** How each message comes about. */
const situations: Record<string, () => Promise<string>> = {
	'The service refused the API Key': async () => await answeredWith('Unauthorized', 401),
	'A valid API key is required': async () =>
		await credentialTestOf(await answering((_request, response) => response.end(NO_KEY))),
	'The API Key of the credential holds a line break': async () =>
		await messageOf(account, { ...ours(), apiKey: 'one\ntwo' }),
	'The service answered with a web page instead of data': async () =>
		await answeredWith('<!doctype html><title>Welcome</title>'),
	'The API of the service is not at …': async () => {
		const service = await answering((request, response) =>
			request.url === '/api/account' ? response.end(NO_KEY) : response.writeHead(404).end('<html>'),
		);
		return await credentialTestOf({ ...service, baseUrl: `${service.baseUrl}/login` });
	},
	'Something in front of the service answered with a page': async () => await answeredWith('<html>Denied', 403),
	'The service speaks an older generation of this API': async () =>
		await answeredWith('{}', 401, { 'WWW-Authenticate': 'Token' }),
	'The service could not handle this request. Your plan may be full': async () => {
		await messageOf(account);
		await sandbox.setFaults([{ kind: 'html', status: 500, match: { method: 'POST' } }]);
		return await messageOf(link());
	},
	'It may not take one of the values': async () => {
		await messageOf(account);
		await sandbox.configure({ deviations: { validationError: 'empty' } });
		return await messageOf({ resource: 'account', operation: 'update', accountFields: { password: 'abc' } });
	},
	'This service does not offer …': async () => {
		await sandbox.configure({ deviations: { missing: 'pixels' } });
		return await messageOf({ resource: 'pixel', operation: 'getAll' });
	},
	'The service redirects to …': async () => await answeredWith('', 301, { Location: 'https://links.example.com/' }),
	'The service refused the connection': async () =>
		await credentialTestOf({ ...ours(), baseUrl: 'http://127.0.0.1:9' }),
	'The service was not found': async () => await credentialTestOf({ ...ours(), baseUrl: 'http://host.invalid' }),
	'No secure connection to the service could be made': async () => {
		const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
		const server = createTlsServer({ key, cert }, (_request, response) => response.end('{}'));
		await once(server.listen(0, '127.0.0.1'), 'listening');
		try {
			const { port } = server.address() as AddressInfo;
			return await messageOf(account, { ...ours(), baseUrl: `https://localhost:${port}` });
		} finally {
			server.close().closeAllConnections();
		}
	},
	'The rate limit of the service is used up. It answers again in …': async () => {
		// A key of its own: the next test need not wait until this one's window ends.
		const credential = { ...ours(), apiKey: 'a-key-that-is-used-up' };
		await sandbox.reset({
			apiKeys: [credential.apiKey],
			limit: { requests: 1, windowMs: 60_000, begin: 'firstRequest' },
		});
		await messageOf(account, credential);
		return await messageOf({ ...account, options: { ifRateLimited: 'fail' } }, credential);
	},
	'It may have been created all the same': async () => {
		await sandbox.setFaults([{ kind: 'dropAfter', match: { method: 'POST' }, times: 1 }]);
		return await messageOf(link());
	},
	'That alias is taken': async () => {
		await messageOf(link({ custom: 'mine' }));
		return await messageOf(link({ custom: 'mine' }));
	},
	'… is not a web address': async () => await messageOf(link({}, { url: 'example' })),
	'… is not an ID': async () =>
		await messageOf({ resource: 'link', operation: 'get', linkId: by('id', '={{ "spring" }}') }),
	'… is not a date': async () => await messageOf(link({ expiry: 'tomorrow' })),
	'… is not a color': async () =>
		await messageOf({ resource: 'channel', operation: 'create', name: 'News', channelFields: { color: 'reddish' } }),
	'Deep Link needs Device Targeting': async () => await messageOf(link({ deeplink: { value: { auto: true } } })),
	'There is no link in the account yet': async () => {
		await sandbox.reset({ records: { links: 0 } });
		const trigger = new TriggerHost({ credential: ours(), parameters: { event: 'linkCreated' } });
		return await trigger.fetchTestEvent().then(
			() => '',
			(error: Error) => error.message,
		);
	},
};

const rows = tableOf(page('docs/troubleshooting.md'));
const messages = rows.flatMap(([seen]) => [...seen.matchAll(/\*([^*]+)\*/g)].map(([, message]) => message));

test('the page names the messages that are brought about here, and each row says what to do', () => {
	expect(messages).toEqual(Object.keys(situations));
	for (const [seen, advice] of rows) {
		expect(seen).toMatch(/\*.+\*/);
		expect(advice).not.toBe('');
	}
});

test.each(messages)('a user sees: %s', async (message) => {
	const pattern = message
		.split('…')
		.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
		.join('.+');
	expect(await situations[message]()).toMatch(new RegExp(pattern));
});
