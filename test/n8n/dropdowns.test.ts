import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../sandbox';
import { N8nRestError } from './host';
import { oneAccount, type SharedSession } from './host/shared';

let n8n: SharedSession;
let sandbox: Sandbox;

/** Searchable dropdowns, the others of which test/engine/dropdowns.test.ts shows: the method, where it stands, and the records that it offers. */
const DROPDOWNS: Array<[string, INodeParameters, string, 'domains' | 'links' | 'qrs']> = [
	['searchDomains', { resource: 'domain', operation: 'delete' }, 'domainId', 'domains'],
	['searchLinks', { resource: 'link', operation: 'get' }, 'linkId', 'links'],
	['searchQrCodes', { resource: 'qrCode', operation: 'get' }, 'qrCodeId', 'qrs'],
];

const RECORDS = { links: 250, qrs: 120, campaigns: 3, channels: 3, domains: 2 };

oneAccount({ dialect: 'field', records: RECORDS }, (session, service) => {
	n8n = session;
	sandbox = service;
});

describe('the searchable dropdowns', () => {
	it.each(DROPDOWNS)('%s offers every record, page by page', async (method, parameters, name, collection) => {
		const offered: unknown[] = [];
		let paginationToken: string | undefined;
		do {
			const page = await n8n.resourceLocatorResults({
				method,
				parameters,
				path: `parameters.${name}`,
				paginationToken,
			});
			offered.push(...page.results.map(({ value }) => value));
			paginationToken = page.paginationToken as string | undefined;
		} while (paginationToken !== undefined);
		const stored = (await sandbox.records(collection)).map(({ id }) => id);
		expect(offered.map(Number).sort((a, b) => a - b)).toEqual(stored.sort((a, b) => a - b));
	});

	it.each([
		['createCampaign', 'searchCampaigns', 'campaign', 'Made Here'],
		['createDomainUrl', 'searchDomainUrls', 'domain', 'https://made.example.com'],
	])('%s makes what %s does not list', async (method, list, field, name) => {
		const parameters = { resource: 'link', operation: 'create' };
		const path = `parameters.linkFields.${field}`;
		const value = await n8n.nodeParameterActionResult({ method, parameters, path }, name);
		const { results } = await n8n.resourceLocatorResults({ method: list, parameters, path, filter: name });
		expect(value).toBe(name);
		expect(results).toMatchObject([{ name }]);
	});

	it('search for what is typed', async () => {
		const [{ id }] = (
			await sandbox.createRecords({ links: [{ alias: 'needle-in-the-hay', longurl: 'https://example.com/needle' }] })
		).links;
		const { results } = await n8n.resourceLocatorResults({
			method: 'searchLinks',
			path: 'parameters.linkId',
			parameters: { resource: 'link', operation: 'get' },
			filter: 'needle-in',
		});
		expect(results.map(({ value }) => Number(value))).toEqual([id]);
		expect(results[0].name).toContain('needle-in-the-hay');
	});

	it("show the service's message when it fails", async () => {
		await sandbox.setFaults([{ kind: 'errorEnvelope', message: 'Your plan has no campaigns.' }]);
		const request = n8n.resourceLocatorResults({
			method: 'searchCampaigns',
			path: 'parameters.campaignId',
			parameters: { resource: 'campaign', operation: 'delete' },
		});
		await expect(request).rejects.toThrow(N8nRestError);
		await expect(request).rejects.toThrow('Your plan has no campaigns.');
		await sandbox.clearFaults();
	});
});
