/** The smallest declarative node that creates a link: what the engine needs when there is as good as no description. */
class Small {
	description = {
		displayName: 'Small',
		name: 'small',
		group: ['transform'],
		version: 1,
		description: 'Creates a link, and nothing else',
		defaults: { name: 'Small' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'linkManagementApi', required: true }],
		requestDefaults: { baseURL: process.env.BENCH_SERVICE_URL, method: 'POST', url: '/api/url/add' },
		properties: [
			{
				displayName: 'Long URL',
				name: 'url',
				type: 'string',
				default: '',
				routing: { send: { type: 'body', property: 'url' } },
			},
			{
				displayName: 'Alias',
				name: 'custom',
				type: 'string',
				default: '',
				routing: { send: { type: 'body', property: 'custom' } },
			},
		],
	};
}

exports.Small = Small;
