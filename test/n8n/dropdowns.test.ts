/** What n8n makes of the editor's questions for dropdowns; each dropdown by itself, test/engine/dropdowns.test.ts shows. */
import type { Sandbox } from '../sandbox';
import { oneAccount, sharedN8n } from './host/shared';

const n8n = sharedN8n();
let sandbox: Sandbox;

const LINKS = {
	method: 'searchLinks',
	path: 'parameters.linkId',
	parameters: { resource: 'link', operation: 'get' },
};

oneAccount({ dialect: 'field', records: { links: 250, qrs: 0, campaigns: 3 } }, (service) => (sandbox = service));

describe('the searchable dropdowns', () => {
	it('offer every record, page by page', async () => {
		const offered: unknown[] = [];
		let paginationToken: string | undefined;
		do {
			const page = await n8n.resourceLocatorResults({ ...LINKS, paginationToken });
			offered.push(...page.results.map(({ value }) => value));
			paginationToken = page.paginationToken as string | undefined;
		} while (paginationToken !== undefined);
		const stored = (await sandbox.links()).map(({ id }) => id);
		expect(offered.map(Number).sort((a, b) => a - b)).toEqual(stored.sort((a, b) => a - b));
	});

	it('search for what is typed', async () => {
		const { links } = await sandbox.createRecords({ links: [{ alias: 'needle-in-the-hay' }] });
		const { results } = await n8n.resourceLocatorResults({ ...LINKS, filter: 'needle-in' });
		expect(results.map(({ value }) => Number(value))).toEqual([links[0].id]);
	});
});
