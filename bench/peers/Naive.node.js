/**
 * What one writes first against a rate limit: each item for itself waits for the reset when it is refused, and tries again.
 */
const { sleep } = require('n8n-workflow');

const REFUSED = 429;

async function keepResponse(_items, response) {
	return [
		{
			json: {
				statusCode: response.statusCode,
				reset: Number(response.headers['x-ratelimit-reset']),
				body: response.body,
			},
		},
	];
}

/** The reset as milliseconds, whether it was given in seconds or in milliseconds. */
const inMilliseconds = (reset) => (reset < 1e11 ? reset * 1000 : reset);

async function untilGranted(requestData) {
	for (;;) {
		const [{ json }] = await this.makeRoutingRequest(requestData);
		if (json.statusCode !== REFUSED) return [{ json: json.body, pairedItem: { item: this.getItemIndex() } }];
		await sleep(Math.max(0, inMilliseconds(json.reset) - Date.now()) + 1);
	}
}

class Naive {
	description = {
		displayName: 'Naive',
		name: 'naive',
		group: ['transform'],
		version: 1,
		description: 'Creates a link, and nothing else',
		defaults: { name: 'Naive' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'linkManagementApi', required: true }],
		requestDefaults: {
			baseURL: process.env.BENCH_SERVICE_URL,
			method: 'POST',
			url: '/api/url/add',
			ignoreHttpStatusErrors: true,
		},
		requestOperations: { pagination: untilGranted },
		properties: [
			{
				displayName: 'Long URL',
				name: 'url',
				type: 'string',
				default: '',
				routing: {
					send: { type: 'body', property: 'url', paginate: true },
					output: { postReceive: [keepResponse] },
				},
			},
		],
	};
}

exports.Naive = Naive;
