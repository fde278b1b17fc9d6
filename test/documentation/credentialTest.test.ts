/** What the credential's test says of each set-up, as docs/proof/credential.md shows it: `npm run docs` writes the table again. */
import type { RequestListener } from 'http';

import { generate } from 'selfsigned';

import { linkManagement, testCredential, type Credential } from '../engine/host';
import { serve } from '../engine/serve';
import { startSandbox, type Sandbox, type SandboxState } from '../sandbox';
import { loadContract, type Contract } from '../sandbox/contract';
import { expectPart } from './markdown';

const KEY = 'a-key-of-the-service';
const NO_KEY = '{"error":1,"message":"A valid API key is required to use this service."}';
const ACCOUNT = '{"error":0,"data":{"id":1,"email":"a@example.com"}}';
const PAGE = '<!doctype html><title>Welcome</title>';

type SetUp = () => Promise<Partial<Credential>>;

const sandboxes: Sandbox[] = [];
let contract: Contract;

/** Entered in this way, for a service that answers all requests so. */
const answering =
	(status: number, body: string, headers: Record<string, string> = {}): SetUp =>
	async () => ({ baseUrl: await serve((_request, response) => response.writeHead(status, headers).end(body)) });

/** For a service whose API is at its origin, and which shows a page everywhere else. */
const service =
	(entered: (origin: string) => Partial<Credential>): SetUp =>
	async () => {
		const origin = await serve((request, response) => {
			const { authorization } = request.headers;
			if (!request.url!.startsWith('/api/')) response.writeHead(404).end(PAGE);
			else response.end(authorization === `Bearer ${KEY}` ? ACCOUNT : NO_KEY);
		});
		return { baseUrl: origin, ...entered(origin) };
	};

const sandbox =
	(state: SandboxState, entered: Partial<Credential> = {}): SetUp =>
	async () => {
		const started = await startSandbox({ contract, limit: { requests: null }, onViolation: () => undefined });
		sandboxes.push(started);
		await started.reset({ apiKeys: [KEY], ...state });
		return { baseUrl: started.url, ...entered };
	};

const limited =
	(seconds: number, times = Infinity): SetUp =>
	async () => {
		let refused = 0;
		const body = JSON.stringify({ error: 429, message: 'Too many requests', 'Retry-After': seconds });
		return { baseUrl: await serve((_request, response) => response.end(refused++ < times ? body : ACCOUNT)) };
	};

const withCertificate =
	(name: string, days: number): SetUp =>
	async () => {
		const dates = { notBeforeDate: new Date(Date.now() - 9e8), notAfterDate: new Date(Date.now() + days * 864e5) };
		const { private: key, cert } = await generate([{ name: 'commonName', value: name }], dates);
		return {
			baseUrl: (await serve((_request, response) => response.end(ACCOUNT), { key, cert })).replace(
				'127.0.0.1',
				'localhost',
			),
		};
	};

const serving =
	(listener: RequestListener): SetUp =>
	async () => ({ baseUrl: await serve(listener) });

const only =
	(entered: Partial<Credential>): SetUp =>
	async () =>
		await Promise.resolve({ baseUrl: 'https://links.example.com', ...entered });

const header = { header: true, headerName: 'Cookie', headerValue: 'passage=granted' };

const redirecting: SetUp = async () => {
	const to = (await service(() => ({}))()).baseUrl!.replace('127.0.0.1', 'localhost');
	return {
		baseUrl: await serve((request, response) => response.writeHead(301, { Location: `${to}${request.url}` }).end()),
	};
};

const SET_UPS: Record<string, SetUp> = {
	'Everything is right': service(() => ({})),
	'The Base URL ends with `/api/`': service((origin) => ({ baseUrl: `${origin}/api/` })),
	'The Base URL has no `http://`, in your own network': service((origin) => ({
		baseUrl: origin.slice('http://'.length),
	})),
	'The key was pasted as `Bearer …`': service(() => ({ apiKey: `Bearer ${KEY}` })),
	'The key was pasted with quotes and a line break': service(() => ({ apiKey: `"${KEY}"\n` })),
	'The key may use links alone': sandbox({ deviations: { rights: 'link' } }),
	'Everything but the account is allowed': sandbox({ deviations: { rights: 'others' } }),
	'The service does not show the account': sandbox({ deviations: { access: 'account' } }),
	'The rate limit is reached for 3 seconds': limited(3, 1),
	'The custom header passes the bot protection': sandbox({ deviations: { front: 'script' } }, header),
	'The key is wrong': service(() => ({ apiKey: 'another-key-1234' })),
	'The key is wrong, and the service says nothing': answering(401, ''),
	'The key has expired': sandbox({ expiredKeys: [KEY] }),
	'The key is empty': service(() => ({ apiKey: '' })),
	'The key holds a line break': only({ apiKey: 'one\ntwo' }),
	'The key may use channels alone': sandbox({ deviations: { rights: 'channel' } }),
	'The plan has no API': sandbox({ deviations: { access: 'plan' } }),
	'The account is suspended': sandbox({ deviations: { access: 'suspended' } }),
	'The plan has ended': answering(200, '{"error":1,"message":"Your plan has ended."}'),
	'The rate limit is reached for some minutes': limited(170),
	'The rate limit is reached, nobody knows how long': answering(429, 'Slow down'),
	'The address was copied from the sign-in page': service((origin) => ({ baseUrl: `${origin}/login` })),
	'`https://` was entered for a service with `http://`': service((origin) => ({
		baseUrl: origin.replace('http:', 'https:'),
	})),
	'The service has moved': redirecting,
	'The service redirects to its sign-in page': answering(302, '', { Location: '/user/login' }),
	'The service redirects to another site': answering(302, '', { Location: 'http://127.0.0.1:9/' }),
	'The address is a website': answering(200, PAGE),
	'The address is a website without such a page': answering(404, PAGE),
	'The address is another API: not found': answering(404, '{"message":"Not Found"}'),
	'The address is another API: forbidden': answering(403, '{"message":"Forbidden"}'),
	'The address is another API: no route': answering(404, '{"error":"The requested route does not exist"}'),
	'The address answers `{"status":"ok"}`': answering(200, '{"status":"ok"}'),
	'The address answers `{"error":0,"data":null}`': answering(200, '{"error":0,"data":null}'),
	'The address answers `OK`': answering(200, 'OK'),
	'The address answers nothing': answering(200, ''),
	'The address answers half of its data': answering(200, ACCOUNT.slice(0, 20)),
	'The service fails': answering(500, '{"error":1,"message":"Server error"}'),
	'The service is under maintenance': answering(503, PAGE),
	'The service is down behind its proxy': answering(502, PAGE),
	'Bot protection is in front (a script)': sandbox({ deviations: { front: 'script' } }),
	'Bot protection is in front (a page)': sandbox({ deviations: { front: 'page403' } }),
	'The service has an older version of the API': answering(401, '{}', { 'WWW-Authenticate': 'Token' }),
	'The certificate is self-signed': withCertificate('localhost', 9),
	'The certificate has expired': withCertificate('localhost', -1),
	'The name of the service is misspelt': only({ baseUrl: 'https://links.example.invalid' }),
	'Nothing runs at the address': only({ baseUrl: 'http://127.0.0.1:9' }),
	'The service closes the connection': serving((_request, response) => response.destroy()),
	'The service never answers': serving(() => undefined),
	'n8n may not send requests to private addresses': only({ baseUrl: 'http://blocked' }),
	'The Base URL is empty': only({ baseUrl: ' ' }),
	'The Base URL is no address': only({ baseUrl: 'my links' }),
	'The Base URL begins with `ftp://`': only({ baseUrl: 'ftp://links.example.com' }),
	'The Base URL holds a password': only({ baseUrl: 'https://me:secret@links.example.com' }),
	'The Base URL holds a `?`': only({ baseUrl: 'https://links.example.com/?lang=en' }),
	'The Header Name is not one': only({ ...header, headerName: 'my header' }),
	'The Header Name is Authorization': only({ ...header, headerName: 'Authorization' }),
	'The Header Value is empty': only({ ...header, headerValue: '' }),
};

/** What n8n does in place of a request to a private address, where it is kept from that. */
async function testBlocked(data: Credential) {
	const request = async () =>
		await Promise.reject(new Error('The request was blocked because it resolves to a restricted IP address'));
	const test = linkManagement.methods!.credentialTest!.testConnection;
	return await test.call({ helpers: { request } } as never, { id: '1', name: '', type: '', data: { ...data } });
}

/** What the test says, with an address for all services. */
async function messageFor(setUp: SetUp): Promise<string> {
	const credential = { apiKey: KEY, baseUrl: '', ...(await setUp()) };
	const { status, message } = await (credential.baseUrl === 'http://blocked' ? testBlocked : testCredential)(
		credential,
	);
	expect([message, status === 'OK']).toEqual([message, message.startsWith('Connection successful')]);
	return message
		.replace(/(https?:\/\/)127\.0\.0\.1:\d+/g, '$1links.example.com')
		.replace(/(https?:\/\/)localhost:\d+/g, '$1www.links.example.com');
}

/** Up to the advice; what a key lacks belongs to it. */
const beginningOf = (message: string) => (/^Connection/.test(message) ? message : message.split(/[.!:] /)[0]);

beforeAll(async () => {
	contract = await loadContract();
});

afterAll(async () => await Promise.all(sandboxes.map(async (one) => await one.stop())));

test('the page shows how what the test says begins, for each set-up', async () => {
	const said = await Promise.all(
		Object.entries(SET_UPS).map(async ([what, setUp]) => [what, beginningOf(await messageFor(setUp))] as const),
	);
	const causes = new Map<string, string[]>();
	for (const [what, message] of said) causes.set(message, [...(causes.get(message) ?? []), what]);
	const rows = [...causes].map(([message, of]) => `| ${message} | ${of.join('; ')} |\n`);
	expectPart('credentialTest', `\n| what the test says | cause |\n| --- | --- |\n${rows.join('')}\n`);
}, 600_000);

test.each([
	['', '/user/login'],
	['', '/es/desarrolladores'],
	['', '/developers'],
	['/tools/s', '/tools/s/user/dashboard'],
	['/tools/s', '/tools/s/login'],
	['/links', '/links/docs'],
	['/app', '/app/pt-br/user'],
])('the service in %j is found from %s: the pages of users are cut, and what is used is named', async (...paths) => {
	const [folder, entered] = paths;
	const asked: string[] = [];
	const origin = await serve((request, response) => {
		asked.push(request.url!);
		if (request.url !== `${folder}/api/account`) response.writeHead(404).end(PAGE);
		else response.end(request.headers.authorization === `Bearer ${KEY}` ? ACCOUNT : NO_KEY);
	});
	for (const [apiKey, outcome] of [
		['another-key-1234', 'Error'],
		[KEY, 'OK'],
	]) {
		const { status, message } = await testCredential({ apiKey, baseUrl: `${origin}${entered}` });
		expect([status, message]).toEqual([outcome, expect.stringContaining(`The nodes use ${origin}${folder}.`)]);
	}
	expect(asked).toEqual([`${folder}/api/account`, `${folder}/api/account`]);
});
