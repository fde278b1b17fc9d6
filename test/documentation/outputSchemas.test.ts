/**
 * The output schemas are what the operations' examples really give, in both dialects of the service: they are run by the engine
 * against the sandbox, and compared. `npm run docs` writes them again.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { dirname, join } from 'path';

import type { IDataObject } from 'n8n-workflow';

import { itemsOf } from '../engine/host';
import { DIALECTS, startSandbox, type Dialect, type Sandbox } from '../sandbox';
import { OPERATIONS, prepareAccount, type OperationExample } from './examples';
import { merged, misfits, schemaFile, schemaOf, type OutputSchema } from './outputSchemas';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ limit: { requests: null } });
});

afterAll(async () => {
	await sandbox.stop();
});

/** What an example gives. */
async function outputOf(
	{ operation, parameters }: OperationExample,
	dialect: Dialect,
	more: IDataObject = {},
): Promise<IDataObject[]> {
	const [resource, name] = operation.split(':');
	await prepareAccount(sandbox, dialect);
	const items = await itemsOf(
		{ resource, operation: name, ...parameters, ...more },
		{ credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey } },
	);
	expect((await sandbox.violations()).map(({ errors }) => errors)).toEqual([]);
	return items;
}

function storedSchema(operation: string): OutputSchema {
	const [resource, name] = operation.split(':');
	return JSON.parse(readFileSync(schemaFile(resource, name), 'utf8')) as OutputSchema;
}

test.each(OPERATIONS.map((example) => [example.operation, example] as const))('%s', async (operation, example) => {
	const records: IDataObject[] = [];
	for (const dialect of DIALECTS) records.push(...(await outputOf(example, dialect)));
	expect(records.length).toBeGreaterThan(1);
	const schema = { ...records.map(schemaOf).reduce(merged), version: 1 };
	const file = schemaFile(...(operation.split(':') as [string, string]));
	if (process.env.UPDATE_DOCS === 'true') {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, `${JSON.stringify(schema, null, '\t')}\n`);
	}
	expect(existsSync(file)).toBe(true);
	expect(storedSchema(operation)).toEqual(schema);
	// The editor shows no schema without fields.
	expect(Object.keys(schema.properties ?? {}).length).toBeGreaterThan(0);
	for (const record of records) expect(misfits(schema, record)).toEqual([]);
});

const simplifying = OPERATIONS.filter(({ operation }) => /^(link|qrCode):get$/.test(operation));

test.each(simplifying.flatMap((example) => DIALECTS.map((dialect) => [example.operation, dialect, example] as const)))(
	'%s as the service sent it, in the dialect %s, contradicts no schema',
	async (operation, dialect, example) => {
		const [record] = await outputOf(example, dialect, { simplify: false });
		const schema = storedSchema(operation);
		const known = Object.fromEntries(
			Object.entries(record).filter(([name]) => schema.properties?.[name] !== undefined),
		);
		expect(misfits(schema, known)).toEqual([]);
	},
);

test('there is no schema of an operation that does not exist', () => {
	const folder = join(dirname(schemaFile('link', 'create')), '..');
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
	const expected = OPERATIONS.map(({ operation }) => `${operation.replace(':', '/')}.json`);
	if (process.env.UPDATE_DOCS === 'true')
		for (const file of files) if (!expected.includes(file)) rmSync(join(folder, file));
	expect(
		readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.json'))
			.sort(),
	).toEqual(expected.sort());
});
