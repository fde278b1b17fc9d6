import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { type Sandbox, startSandbox, type StoredLink } from '../sandbox';
import { type Execution, NODE_TYPE, type WorkflowJson } from './host';
import { type SharedSession, sharedN8n } from './host/shared';

let n8n: SharedSession;
let sandbox: Sandbox;

/** Between the zones, so that none of them is taken for another. */
const WORKFLOW_ZONE = 'America/New_York';
const MANY = 5000;
const MANY_TIMEOUT_MS = 170_000;

beforeAll(async () => {
	n8n = await sharedN8n();
});

beforeEach(async () => {
	sandbox = await startSandbox({ limit: { requests: null }, records: { links: 0 } });
	await n8n.createCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
});

afterEach(async () => {
	expect(await sandbox.violations()).toEqual([]);
	await sandbox.stop();
});

/** Rows from a Code node, through the node, to a node that looks back at the row of each item. */
function rowsThrough(jsCode: string, parameters: INodeParameters, back = "={{ $('Rows').item.json }}"): WorkflowJson {
	return {
		nodes: [
			{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
			{ name: 'Rows', type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } },
			{
				name: 'Link Management',
				type: NODE_TYPE,
				parameters: { resource: 'link', operation: 'create', ...parameters },
			},
			{
				name: 'Row of the item',
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: {
					assignments: { assignments: [{ id: '1', name: 'row', type: 'object', value: back }] },
					includeOtherFields: true,
					options: {},
				},
			},
		],
		connections: {
			Start: { main: [[{ node: 'Rows', type: 'main', index: 0 }]] },
			Rows: { main: [[{ node: 'Link Management', type: 'main', index: 0 }]] },
			'Link Management': { main: [[{ node: 'Row of the item', type: 'main', index: 0 }]] },
		},
		settings: { timezone: WORKFLOW_ZONE },
	};
}

async function create(
	rows: IDataObject[],
	parameters: INodeParameters,
): Promise<{ execution: Execution; links: StoredLink[] }> {
	const execution = await n8n.runWorkflow(
		rowsThrough(`return ${JSON.stringify(rows.map((json) => ({ json })))}`, parameters),
	);
	expect(execution.error).toBeUndefined();
	return { execution, links: (await sandbox.links()).sort((a, b) => a.id - b.id) };
}

describe('the number of items', () => {
	it('may be none: nothing runs, nothing is sent', async () => {
		const execution = await n8n.runWorkflow(rowsThrough('return []', { url: '={{ $json.url }}' }));
		expect(execution.status).toBe('success');
		expect(execution.runData['Link Management']).toBeUndefined();
		expect((await sandbox.stats()).requests).toBe(0);
	});

	it('may be one', async () => {
		const { execution, links } = await create([{ url: 'https://example.com/one' }], { url: '={{ $json.url }}' });
		expect(execution.json('Link Management')).toEqual([
			expect.objectContaining({ id: links[0].id, shorturl: expect.stringContaining(sandbox.url) }),
		]);
		expect((await sandbox.stats()).requests).toBe(1);
	});

	it(`may be ${MANY}: each item leads back to its row, in order`, async () => {
		const execution = await n8n.runWorkflow(
			rowsThrough(
				`return Array.from({ length: ${MANY} }, (_, n) => ({ json: { n, url: 'https://example.com/page/' + n } }))`,
				{
					url: '={{ $json.url }}',
				},
			),
			{ timeoutMs: MANY_TIMEOUT_MS },
		);
		expect(execution.error).toBeUndefined();
		const longUrls = new Map((await sandbox.links()).map(({ id, longurl }) => [id, longurl]));
		expect(longUrls.size).toBe(MANY);
		const items = execution.json('Row of the item');
		expect(items).toHaveLength(MANY);
		expect(items.map(({ row }) => (row as IDataObject).n)).toEqual(Array.from({ length: MANY }, (_, n) => n));
		expect(items.every(({ id, row }) => longUrls.get(id as number) === (row as IDataObject).url)).toBe(true);
	});
});

describe('pairing', () => {
	it('leads from each record of a list to the row that asked for it', async () => {
		await sandbox.createRecords({
			links: [{ title: 'spring one' }, { title: 'spring two' }, { title: 'autumn one' }],
		});
		const execution = await n8n.runWorkflow(
			rowsThrough(
				"return [{ json: { word: 'autumn' } }, { json: { word: 'nothing' } }, { json: { word: 'spring' } }]",
				{
					operation: 'getAll',
					returnAll: true,
					filters: { q: '={{ $json.word }}' },
				},
			),
		);
		const found = execution.json('Row of the item').map(({ title, row }) => [title, (row as IDataObject).word]);
		expect(found).toHaveLength(3);
		expect(found[0]).toEqual(['autumn one', 'autumn']);
		expect(found.slice(1).sort()).toEqual([
			['spring one', 'spring'],
			['spring two', 'spring'],
		]);
	});

	it('leads from a failed item to its row', async () => {
		const workflow = rowsThrough(
			"return ['https://example.com/a', 'wrong', 'https://example.com/c'].map((url) => ({ json: { url } }))",
			{
				url: '={{ $json.url }}',
			},
		);
		workflow.nodes[2].onError = 'continueRegularOutput';
		const execution = await n8n.runWorkflow(workflow);
		expect(
			execution.json('Row of the item').map(({ error, row }) => [error !== undefined, (row as IDataObject).url]),
		).toEqual([
			[false, 'https://example.com/a'],
			[true, 'wrong'],
			[false, 'https://example.com/c'],
		]);
	});
});

describe('values', () => {
	it('may be numbers where text is wanted, and text where numbers are', async () => {
		await sandbox.createRecords({ campaigns: [{ id: 7 }], channels: [{ id: 9 }] });
		const { links } = await create(
			[
				{ alias: 2031, campaign: '7', channel: ' 9 ', pixels: 3 },
				{ alias: '2032', campaign: 7, channel: 9, pixels: '3, 17' },
			],
			{
				url: '=https://example.com/{{ $json.alias }}',
				linkFields: {
					custom: '={{ $json.alias }}',
					campaign: '={{ $json.campaign }}',
					channel: '={{ $json.channel }}',
					pixels: '={{ $json.pixels }}',
				},
			},
		);
		expect(links.map(({ alias, campaign }) => [alias, campaign])).toEqual([
			['2031', 7],
			['2032', 7],
		]);
		const bodies = (await sandbox.requests()).map(({ body }) => body as IDataObject);
		expect(bodies.map(({ custom, campaign, channel, pixels }) => [custom, campaign, channel, pixels])).toEqual([
			['2031', 7, 9, [3]],
			['2032', 7, 9, [3, 17]],
		]);
	});

	it('may be empty cells, which are not sent', async () => {
		const linkFields = {
			custom: '={{ $json.alias }}',
			campaign: '={{ $json.campaign }}',
			expiry: '={{ $json.expires }}',
			description: '={{ $json.note }}',
			pixels: '={{ $json.pixels }}',
			metaimage: '={{ $json.image }}',
		};
		await create(
			[
				{ alias: '', campaign: '', expires: '', note: '', pixels: '', image: '' },
				{ alias: null, campaign: null, expires: null, note: null, pixels: null, image: null },
				{},
				{ alias: '  ', campaign: ' ', expires: ' ', note: ' ', pixels: ' ', image: ' ' },
			],
			{ url: 'https://example.com/page', linkFields },
		);
		expect((await sandbox.requests()).map(({ body }) => body)).toEqual(
			Array.from({ length: 4 }, () => ({ url: 'https://example.com/page' })),
		);
	});

	it.each([
		[
			'a Luxon date',
			"={{ DateTime.fromISO('2031-06-01T12:00:00', { zone: 'Europe/Berlin' }) }}",
			'2031-06-01 06:00:00',
		],
		[
			'a Luxon date that was reckoned with',
			"={{ DateTime.fromISO('2031-06-01T10:00:00Z').plus({ days: 30 }).endOf('day') }}",
			'2031-07-01 23:59:59',
		],
		['a JavaScript date', "={{ new Date('2031-06-01T10:00:00Z') }}", '2031-06-01 06:00:00'],
		['a date with its zone, as text', '2031-06-01T12:00:00+02:00', '2031-06-01 06:00:00'],
		['a date without a zone, as the picker gives it', '2031-06-01T12:00:00', '2031-06-01 12:00:00'],
		["the service's own text", '={{ "2031-06-01 12:00:00" }}', '2031-06-01 12:00:00'],
	])('may be %s', async (_kind, expiry, sent) => {
		const { links } = await create([{}], { url: 'https://example.com/page', linkFields: { expiry } });
		expect(links.map((link) => link.expiry)).toEqual([sent]);
	});

	it('may stand in rows of a collection', async () => {
		await create(
			[{ country: 'France', page: 'https://example.com/fr', tags: [{ name: 'utm_source', value: 'poster' }] }],
			{
				url: 'https://example.com/page',
				linkFields: {
					geotarget: { values: [{ location: '={{ $json.country }}', link: '={{ $json.page }}' }] },
					parameters: { values: [{ name: '={{ $json.tags[0].name }}', value: '={{ $json.tags[0].value }}' }] },
				},
			},
		);
		const [{ body }] = await sandbox.requests();
		expect(body).toEqual({
			url: 'https://example.com/page',
			geotarget: [{ location: 'France', link: 'https://example.com/fr' }],
			parameters: [{ name: 'utm_source', value: 'poster' }],
		});
	});
});
