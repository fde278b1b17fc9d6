/** A node with nothing of its own: for each item it calls n8n's request, one after another, and puts out the answer. */
class Bare {
	description = {
		displayName: 'Bare',
		name: 'bare',
		group: ['transform'],
		version: 1,
		description: 'Creates links',
		defaults: { name: 'Bare' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'linkManagementApi', required: true }],
		properties: ['url', 'custom'].map((name) => ({ displayName: name, name, type: 'string', default: '' })),
	};

	async execute() {
		const { baseUrl } = await this.getCredentials('linkManagementApi');
		const items = [];
		for (let at = 0; at < this.getInputData().length; at++) {
			const body = { url: this.getNodeParameter('url', at), custom: this.getNodeParameter('custom', at) };
			const request = { method: 'POST', baseURL: baseUrl, url: '/api/url/add', body, json: true };
			const json = await this.helpers.httpRequestWithAuthentication.call(this, 'linkManagementApi', request);
			items.push({ json, pairedItem: { item: at } });
		}
		return [items];
	}
}

module.exports = { Bare };
