/** The Request Options that n8n gives every such node. */
import { request as sendHttp, type RequestListener } from 'http';

import type { IExecuteSingleFunctions } from 'n8n-workflow';
import { generate } from 'selfsigned';

import { readRequestOptions } from '../../nodes/LinkManagement/run/requestOptions';
import { by, search, testCredential, type Credential } from './host';
import { serve } from './serve';
import { createLink, credential, getAccount, openService, run, sandbox } from './service';

openService();

/** Hands a request on to the sandbox, as a proxy or a TLS end point in front of it does. */
function toSandbox(seen: string[]): RequestListener {
	return (request, response) => {
		seen.push(String(request.url));
		const { pathname, search } = new URL(String(request.url), sandbox.url);
		const { method, headers } = request;
		const passed = sendHttp(`${sandbox.url}${pathname}${search}`, { method, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		passed.on('error', () => response.destroy());
		request.pipe(passed);
	};
}

/** The proxy that the settings of a node name. */
function proxyOf(proxy: string): unknown {
	const requestOptions = { proxy };
	const context = { getNode: () => ({ parameters: { requestOptions } }), getNodeParameter: () => requestOptions };
	return readRequestOptions(context as unknown as IExecuteSingleFunctions).proxy;
}

describe('Request Options', () => {
	test('Timeout ends a read that takes longer, after its tries, and leaves open what became of a creation, sent once', async () => {
		await sandbox.setFaults([{ kind: 'latency', ms: 2_000 }]);
		const requestOptions = { timeout: 400 };
		const read = await run({ ...getAccount, requestOptions });
		expect(read.error?.message).toMatch(/did not answer in time/);
		expect(await sandbox.requests()).toHaveLength(4);
		const { error } = await run({ ...createLink, url: 'https://example.com/slow', requestOptions });
		expect(error?.message).toMatch(/did not answer in time.*may have been created/);
		expect(await sandbox.requests()).toHaveLength(4 + 1);
	});

	test('Batching has no effect: the node paces itself', async () => {
		const requestOptions = { batching: { batch: { batchSize: 1, batchInterval: 600_000 } } };
		const { items } = await run({ ...getAccount, requestOptions }, { rows: Array(6).fill({}) });
		expect(items).toHaveLength(6);
	});

	test('Proxy is used for every request, look-ups included', async () => {
		const seen: string[] = [];
		const proxy = await serve(toSandbox(seen));
		await sandbox.setFaults([{ kind: 'dropAfter', match: { method: 'POST' }, times: 1 }]);
		const requestOptions = { proxy };
		const rows = [{ url: 'https://example.com/proxy', alias: 'by-proxy' }];
		const { items, error } = await run({ ...createLink, requestOptions }, { rows });
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ shorturl: `${sandbox.url}/by-proxy` });
		const sent = await sandbox.requests();
		expect(sent.length).toBeGreaterThan(1);
		expect(seen.map((url) => new URL(url).pathname)).toEqual(sent.map(({ path }) => path));
	});

	test('a Proxy takes a password as it is', () => {
		expect(proxyOf('http://me:100%25%zz@proxy.example')).toMatchObject({
			auth: { username: 'me', password: '100%25%zz' },
		});
	});

	test.each([1500.5, 3_000_000_000, 1e300, '2000'])('a Timeout of %s is one that a timer takes', async (timeout) => {
		const { items, error } = await run({ ...getAccount, requestOptions: { timeout } });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});

	test('a Timeout of 0 is none', async () => {
		await sandbox.setFaults([{ kind: 'latency', ms: 50 }]);
		expect((await run({ ...getAccount, requestOptions: { timeout: 0 } })).error).toBeUndefined();
	});

	test.each([
		['http://proxy.example', 80],
		['https://proxy.example', 443],
		['https://proxy.example:8080', 8080],
	])('the port of the Proxy %s is %d', (address, port) => {
		expect(proxyOf(address)).toMatchObject({ host: 'proxy.example', port });
	});

	test('a Proxy that is no address is refused before anything is sent', async () => {
		const { error } = await run({ ...getAccount, requestOptions: { proxy: '10.0.0.1:3128' } });
		expect(error?.message).toBe('Proxy is not a web address');
		expect(await sandbox.requests()).toEqual([]);
	});

	describe('Ignore SSL Issues', () => {
		let ofItself: Credential;

		beforeEach(async () => {
			const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
			ofItself = credential({ baseUrl: await serve(toSandbox([]), { key, cert }) });
		});

		test('on: a certificate of the service itself will do', async () => {
			const requestOptions = { allowUnauthorizedCerts: true };
			const { items, error } = await run({ ...getAccount, requestOptions }, { credential: ofItself });
			expect(error).toBeUndefined();
			expect(items).toHaveLength(1);
		});

		test('on in the credential: for its test, nodes, dropdowns and pictures', async () => {
			const trusting = { ...ofItself, allowUnauthorizedCerts: true };
			expect((await run(getAccount, { credential: trusting })).error).toBeUndefined();
			expect(await testCredential(trusting)).toMatchObject({ status: 'OK' });
			expect(await testCredential({ ...trusting, baseUrl: `${trusting.baseUrl}/user/login` })).toMatchObject({
				message: expect.stringContaining(`The nodes use ${trusting.baseUrl}.`) as string,
			});
			await expect(search('searchLinks', trusting)).resolves.toHaveProperty('results');
			const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
			const baseUrl: string = await serve(
				(request, response) => {
					const details = { id: 1, link: `${baseUrl}/picture.svg` };
					response.end(request.url === '/picture.svg' ? '<svg></svg>' : JSON.stringify({ error: 0, details }));
				},
				{ key, cert },
			);
			const code = { resource: 'qrCode', operation: 'download', qrCodeId: by('id', '1') };
			const { items, error } = await run(code, { credential: { ...trusting, baseUrl } });
			expect([error?.message, items[0].binary]).toEqual([undefined, { data: expect.anything() as unknown }]);
		});

		test.each(['false', 0, 'no'])('%p is off, in the credential and in the node', async (allowUnauthorizedCerts) => {
			const parameters = { ...getAccount, requestOptions: { allowUnauthorizedCerts } };
			const { error } = await run(parameters, { credential: { ...ofItself, allowUnauthorizedCerts } });
			expect(error?.message).toMatch(/^No secure connection/);
		});

		test('off: it will not, which is said with what to do, and not tried again; by the credential test too', async () => {
			const { error } = await run(getAccount, { credential: ofItself });
			expect(error?.message).toMatch(/^No secure connection/);
			expect(error?.description).toContain('Ignore SSL Issues');
			const { status, message } = await testCredential(ofItself);
			expect([status, message]).toEqual(['Error', expect.stringContaining('No secure connection')]);
			expect(await sandbox.requests()).toEqual([]);
		});
	});
});
