/** What is sent again, and what is not: where no service can show it. */
import { redactionOf } from '../../nodes/LinkManagement/api/redact';
import { requestWithRetry } from '../../nodes/LinkManagement/api/retry';
import { serviceOf } from '../../nodes/LinkManagement/api/services';

const request = {
	...serviceOf('https://links.example', 'a-key'),
	caller: {},
	path: '/api/account',
	redact: redactionOf(['a-key']),
};

test.each(['GET', 'POST', 'PUT', 'DELETE'])(
	'a mistake in code while a %s is sent is not taken for the service: it is sent once, and comes out as it is',
	async (method) => {
		let sent = 0;
		const mistake = new TypeError("Cannot read properties of undefined (reading 'x')");
		const send = async () => {
			sent++;
			throw new Error('wrapped by the host', { cause: mistake });
		};
		await expect(requestWithRetry({ ...request, method, send })).rejects.toMatchObject({ cause: mistake });
		expect(sent).toBe(1);
	},
);

test('an update that is answered with nothing, by a service that has answered before, is sent once', async () => {
	const proper = { statusCode: 200, headers: {}, body: { error: 0 } };
	await requestWithRetry({ ...request, method: 'GET', send: async () => proper });
	let sent = 0;
	const send = async () => {
		sent++;
		return { statusCode: 200, headers: {}, body: '' };
	};
	await expect(requestWithRetry({ ...request, method: 'PUT', send })).rejects.toThrow(
		'The service could not handle this request: it answered with an empty answer',
	);
	expect(sent).toBe(1);
});

test.each(['GET', 'POST', 'PUT', 'DELETE'])(
	'an HTTP status that refuses a %s is final, also without a body: it is sent once, and nothing was done',
	async (method) => {
		let sent = 0;
		const send = async () => {
			sent++;
			return { statusCode: 422, headers: {}, body: '' };
		};
		await expect(requestWithRetry({ ...request, method, send })).rejects.toMatchObject({ kind: 'unreadable' });
		expect(sent).toBe(1);
	},
);
