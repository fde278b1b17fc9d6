import type { SheetRow } from '../test/sandbox/sheet';

interface Page {
	data: { urls: Array<{ id: number | string; alias: string }>; currentpage: number | string; maxpage: number | string };
}

/**
 * The script that users of such services write for themselves: reads all links, then sends one request for each row, which
 * creates its link or updates the one that is there. It would pause for two seconds after each request; here nobody waits.
 *
 * @param pageSize links that it asks for at once
 */
export async function runScript(serviceUrl: string, apiKey: string, rows: SheetRow[], pageSize: number): Promise<void> {
	const request = async (method: string, path: string, body?: object): Promise<unknown> => {
		const response = await fetch(`${serviceUrl}/api${path}`, {
			method,
			headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
			body: body && JSON.stringify(body),
		});
		return await response.json();
	};
	const idByAlias = new Map<string, number | string>();
	for (let page = 1, last = 1; page <= last; page++) {
		const { data } = (await request('GET', `/urls?limit=${pageSize}&page=${page}`)) as Page;
		for (const { id, alias } of data.urls) idByAlias.set(alias, id);
		last = Number(data.maxpage);
	}
	for (const row of rows) {
		const { 'Long URL': url, Alias: custom } = row;
		const id = idByAlias.get(custom);
		const body = { url, custom };
		if (id === undefined) await request('POST', '/url/add', body);
		else await request('PUT', `/url/${id}/update`, body);
	}
}
