/** What is sent again, and what is not: where no service can show it. */
import { redactionOf } from '../../nodes/LinkManagement/service/redact';
import { requestWithRetry } from '../../nodes/LinkManagement/service/retry';
import { serviceOf } from '../../nodes/LinkManagement/service/services';

const request = {
	...serviceOf('https://links.example', 'a-key'),
	caller: {},
	path: '/api/account',
	redact: redactionOf('a-key'),
};
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'];
const answered = (statusCode: number, body: unknown) => async () => ({ statusCode, headers: {}, body });

/** Sends a request, which has to be sent once, and to fail. @returns with what */
async function failureOf(method: string, send: ReturnType<typeof answered>): Promise<unknown> {
	const sending = jest.fn(send);
	const failure: unknown = await requestWithRetry({ ...request, method, send: sending }).then(
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
	await requestWithRetry({ ...request, method: 'GET', send: answered(200, { error: 0 }) });
	const message = 'The service could not handle this request. It may not take one of the values';
	expect(await failureOf('PUT', answered(200, ''))).toMatchObject({ message: expect.stringContaining(message) });
});

test.each(METHODS)(
	'an HTTP status that refuses a %s is final, also without a body: it is sent once, and nothing was done',
	async (method) => {
		expect(await failureOf(method, answered(422, ''))).toMatchObject({ kind: 'unreadable' });
	},
);
