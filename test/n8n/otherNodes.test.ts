/** What n8n's own nodes put out, by their own code: Create or Update reads it as it is, or says what to do. */
import { execFileSync } from 'child_process';
import { writeFileSync } from 'fs';
import { join } from 'path';
import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { titlesOf } from '../brought/titlesTable';
import { serve } from '../engine/serve';
import type { Sandbox } from '../sandbox';
import { inARow, installation, LINK_MANAGEMENT, NODE_TYPE, rowsNode, type WorkflowJson } from './host';
import { emptyAccounts, sharedN8n } from './host/shared';

const n8n = sharedN8n();
let sandbox: Sandbox;

emptyAccounts({ dialect: 'field', deviations: { knownLongUrl: 'new' } }, (service) => (sandbox = service));

type NodeJson = WorkflowJson['nodes'][number];

const node = (name: string, type: string, typeVersion: number, parameters: INodeParameters): NodeJson => ({
	name,
	type: `n8n-nodes-base.${type}`,
	typeVersion,
	parameters,
});

const links: NodeJson = {
	name: LINK_MANAGEMENT,
	type: NODE_TYPE,
	parameters: { resource: 'link', operation: 'upsert' },
};

/** Runs nodes and, after them, Create or Update. @returns the error that ended the run, and the links of the account */
async function bring(...nodes: NodeJson[]) {
	const { error } = await n8n.runWorkflow(inARow(...nodes, links));
	const made = (await sandbox.links()).map(({ alias, longurl, expiry }) => ({ alias, longurl, expiry }));
	const { message, description } = (error ?? {}) as { message?: string; description?: string };
	return { says: error === undefined ? undefined : `${message} ${description}`, made };
}

/** Saves a credential of another service. @returns it, as a node has it */
async function saved(type: string, data: IDataObject) {
	const name = `Of ${type}`;
	return { [type]: { id: await n8n.createCredential(data as ICredentialDataDecryptedObject, { type, name }), name } };
}

const SHOP = 'https://shop.example.com/1';

/** Calls a function of n8n's own nodes, in the Node that runs n8n. @param path of its file, and its name */
async function call(path: [...path: string[], name: string], ...given: unknown[]): Promise<IDataObject[]> {
	const { folder, node: program } = await installation();
	const nodes = join(folder, 'node_modules', 'n8n-nodes-base', 'dist', 'nodes');
	const [name] = path.slice(-1);
	const code = `require(${JSON.stringify(join(nodes, ...path.slice(0, -1)))}).${name}(...${JSON.stringify(given)})`;
	const put = execFileSync(program, ['-e', `process.stdout.write(JSON.stringify([${code}].flat()))`], {
		encoding: 'utf8',
	});
	return JSON.parse(put) as IDataObject[];
}

/** The parts of a page as Notion sends it. */
const notion = {
	title: (text: string) => ({ type: 'title', title: [{ type: 'text', plain_text: text }] }),
	text: (text: string) => ({ type: 'rich_text', rich_text: [{ type: 'text', plain_text: text }] }),
	url: (url: string) => ({ type: 'url', url }),
	date: (start: string) => ({ type: 'date', date: { start, end: null, time_zone: null } }),
};

it.each([2, 3])('pages of Notion, whatever language their properties have: version %d of the node', async (version) => {
	const [urls, aliases, dates] = ['url', 'custom', 'expiry'].map((name) =>
		[...titlesOf(name, 'own'), ...titlesOf(name, 'shared')].filter((title) => title !== 'URL'),
	);
	const pages = urls.map((title, at) => ({
		object: 'page',
		id: `page-${at}`,
		url: `https://notion.example/page-${at}`,
		parent: { type: 'database_id' },
		properties: {
			Name: notion.title(`Page ${at}`),
			[title]: notion.url(`${SHOP}${at}`),
			[aliases[at % aliases.length]]: notion.text(`page-${at}`),
			[dates[at % dates.length]]: notion.date('2031-12-31'),
		},
	}));
	const { says, made } = await bring(
		rowsNode(await call(['Notion', 'shared', 'GenericFunctions.js', 'simplifyObjects'], pages, false, version)),
	);
	expect(says).toBeUndefined();
	expect(made).toHaveLength(urls.length);
	expect(made).toEqual(
		expect.arrayContaining(
			urls.map((_title, at) => ({ alias: `page-${at}`, longurl: `${SHOP}${at}`, expiry: '2031-12-31 23:59:59' })),
		),
	);
});

it.each([2.1, 2.2])('records of Airtable: version %d of the node', async (version) => {
	const record = { id: 'recA1', createdTime: '2026-11-01T10:00:00.000Z', fields: { 'Long URL': SHOP, Alias: ['one'] } };
	const empty = { id: 'recA2', createdTime: '2026-11-01T10:00:00.000Z', fields: {} };
	const flatten = ['Airtable', 'v2', 'helpers', 'utils.js', 'legacyFlattenOutput'] as const;
	const rows = await Promise.all([record, empty].map(async (one) => (await call([...flatten], one, version))[0]));
	const { says, made } = await bring(rowsNode(rows));
	expect(says).toBeUndefined();
	expect(made).toMatchObject([{ alias: 'one', longurl: SHOP }]);
});

it('rows of Baserow, with a linked record', async () => {
	await sandbox.createRecords({
		campaigns: [
			{ id: 31, name: 'Another' },
			{ id: 8, name: 'Spring' },
		],
	});
	const fields = ['Long URL', 'Alias', 'Campaign'].map((name, at) => ({ id: at + 1, name }));
	const campaign = [{ id: 31, value: 'Spring', order: '1.00000000000000000000' }];
	const row = { id: 7, order: '1.00000000000000000000', field_1: SHOP, field_2: 'one', field_3: campaign };
	const host = await serve(({ url = '' }, response) => {
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(url.includes('/fields/') ? fields : { count: 1, next: null, results: [row] }));
	});
	const credentials = await saved('baserowTokenApi', { host, token: 'token' });
	const parameters = {
		authentication: 'databaseToken',
		databaseId: '1',
		tableId: '2',
		operation: 'getAll',
		returnAll: true,
		additionalOptions: {},
	};
	const { says, made } = await bring({ ...node('Baserow', 'baserow', 1.1, parameters), credentials });
	expect(says).toBeUndefined();
	expect(made).toMatchObject([{ alias: 'one', longurl: SHOP }]);
	const [sent] = (await sandbox.requests()).filter(({ method }) => method === 'POST');
	expect(sent.body).toMatchObject({ campaign: 8 });
});

it('rows of NocoDB', async () => {
	const records = [{ id: 1, fields: { 'Long URL': SHOP, Alias: 'one', Campaign: null } }];
	const host = await serve((_request, response) => {
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({ records, next: null }));
	});
	const credentials = await saved('nocoDbApiToken', { host, apiToken: 'token' });
	const byId = (value: string) => ({ __rl: true, mode: 'id', value });
	const parameters = {
		authentication: 'nocoDbApiToken',
		resource: 'row',
		operation: 'search',
		workspaceId: byId('w'),
		projectId: byId('p'),
		table: byId('t'),
		returnAll: true,
		options: {},
	};
	const { says, made } = await bring({ ...node('NocoDB', 'nocoDb', 4, parameters), credentials });
	expect(says).toBeUndefined();
	expect(made).toMatchObject([{ alias: 'one', longurl: SHOP }]);
});

describe('a file', () => {
	/** Rows become a file, and the file rows again. */
	const file = (rows: IDataObject[], write: INodeParameters, read: INodeParameters): NodeJson[] => [
		rowsNode(rows),
		node('To file', 'convertToFile', 1.1, { operation: 'xlsx', binaryPropertyName: 'data', ...write }),
		node('From file', 'extractFromFile', 1, { operation: 'xlsx', binaryPropertyName: 'data', ...read }),
	];

	it('without headings: the error says so; with them it is read', async () => {
		const rows = [{ 'Ziel-URL': SHOP, Linkkürzel: 'one' }];
		const { says, made } = await bring(...file(rows, {}, { options: { headerRow: false } }));
		expect(says).toMatch(/no column that is read: .*, set the header row/);
		expect(made).toEqual([]);
		const read = await bring(...file(rows, {}, { options: {} }));
		expect(read).toMatchObject({ says: undefined, made: [{ alias: 'one', longurl: SHOP }] });
	});

	it('with a title above its headings: the error says to set the header row', async () => {
		const rows = [
			{ 'Links 2031': 'Alias', ' ': 'Long URL' },
			{ 'Links 2031': 'one', ' ': SHOP },
		];
		const { says, made } = await bring(...file(rows, {}, { options: {} }));
		expect(says).toMatch(/no column that is read: .*, set the header row/);
		expect(made).toEqual([]);
		const read = await bring(...file(rows, {}, { options: { range: 'A2:B3' } }));
		expect(read).toMatchObject({ says: undefined, made: [{ alias: 'one', longurl: SHOP }] });
	});

	it('in another encoding: the error says so; with the encoding set it is read', async () => {
		const path = join(n8n.filesFolder, 'latin.csv');
		writeFileSync(path, `Ziel-URL,Título,Linkkürzel\n${SHOP},Übergröße,one\n`, 'latin1');
		const read = (options: INodeParameters) => [
			node('Read', 'readWriteFile', 1, { operation: 'read', fileSelector: path, options: {} }),
			node('Rows', 'extractFromFile', 1, { operation: 'csv', binaryPropertyName: 'data', options }),
		];
		const { says, made } = await bring(...read({}));
		expect(says).toMatch(
			/^The title "T\ufffdtulo" has the sign \ufffd instead of a letter: the file was read in the wrong/,
		);
		expect(made).toEqual([]);
		expect(await bring(...read({ encoding: 'latin1' }))).toMatchObject({ says: undefined, made: [{ alias: 'one' }] });
	});

	it('with semicolons: the error says to set the delimiter', async () => {
		const rows = [{ 'Long URL': SHOP, Alias: 'one' }];
		const csv = { operation: 'csv', options: { delimiter: ';' } };
		const { says } = await bring(...file(rows, csv, { operation: 'csv', options: {} }));
		expect(says).toContain('In the node that reads the file, set the header row and the delimiter.');
		const read = await bring(...file(rows, csv, { operation: 'csv', options: { delimiter: ';' } }));
		expect(read).toMatchObject({ says: undefined, made: [{ alias: 'one', longurl: SHOP }] });
	});
});

it('rows in a list: the error says Split Out, and with that node they are read', async () => {
	const rows = rowsNode([{ data: [1, 2].map((at) => ({ url: `${SHOP}${at}`, alias: `row-${at}` })) }]);
	const { says, made } = await bring(rows);
	expect(says).toMatch(/no column that is read: data .*add a Split Out node before this one/);
	expect(made).toEqual([]);
	const split = node('Split Out', 'splitOut', 1, { fieldToSplitOut: 'data', options: {} });
	expect(await bring(rows, split)).toMatchObject({ says: undefined, made: [{}, {}] });
});
