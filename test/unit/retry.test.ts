/** What is sent again, and what is not: where no service can show it. */
import { Readable } from 'stream';

import type { IHttpRequestMethods } from 'n8n-workflow';

import { connectionOf, type RequestContext } from '../../nodes/LinkManagement/service/connection';
import { ServiceClient } from '../../nodes/LinkManagement/service/send/serviceClient';

const connection = connectionOf({ baseUrl: 'https://links.example', apiKey: 'a-key' });
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
const answered = (statusCode: number, body: string) => async () => ({
	statusCode,
	headers: {},
	body: Readable.from([Buffer.from(body)]),
});

/** Sends a request in a context of n8n whose requests end so. */
async function sendWith(method: IHttpRequestMethods, request: () => Promise<unknown>): Promise<unknown> {
	const helpers = { httpRequest: request, httpRequestWithAuthentication: request };
	const context = { helpers } as unknown as RequestContext;
	return await new ServiceClient(context, connection, { caller: {} }).send({ method, path: '/api/account' });
}

/** Sends a request, which has to be sent once, and to fail. @returns with what */
async function failureOf(method: IHttpRequestMethods, request: () => Promise<unknown>): Promise<unknown> {
	const sending = jest.fn(request);
	const failure: unknown = await sendWith(method, sending).then(
		() => undefined,
		(error: unknown) => error,
	);
	expect(sending).toHaveBeenCalledTimes(1);
	return failure;
}

test.each(METHODS)(
	'a mistake in code while a %s is sent is not taken for the service: it is sent once, and comes out as it is',
	async (method) => {
		const mistake = new TypeError("Cannot read properties of undefined (reading 'x')");
		const send = async () => await Promise.reject(new Error('wrapped by the host', { cause: mistake }));
		expect(await failureOf(method, send)).toMatchObject({ cause: mistake });
	},
);

test('an update that is answered with nothing, by a service that has answered before, is sent once', async () => {
	await sendWith('GET', answered(200, '{"error":0,"data":{"id":1}}'));
	const failure = {
		message: 'The service answered with an empty answer',
		advice: expect.stringMatching(/^Check the values/),
	};
	expect(await failureOf('PUT', answered(200, ''))).toMatchObject(failure);
});

test.each(METHODS)(
	'an HTTP status that refuses a %s is final, also without a body: it is sent once, and nothing was done',
	async (method) => {
		expect(await failureOf(method, answered(422, ''))).toMatchObject({ kind: 'unreadable' });
	},
);
