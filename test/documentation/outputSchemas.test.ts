/**
 * The output schemas are what the operations' examples really give, in both dialects of the service: they are run by the engine
 * against the sandbox, and compared. `npm run docs` writes them again.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { dirname, join } from 'path';

import type { IDataObject } from 'n8n-workflow';

import { DIALECTS, type Sandbox } from '../sandbox';
import { freshSandbox } from '../sandbox/fresh';
import { outputOf, PARAMETERS } from './examples';
import { merged, schemaFile, schemaOf, type OutputSchema } from './outputSchemas';

let sandbox: Sandbox;

freshSandbox({ limit: { requests: null } }, (started) => (sandbox = started));

function storedSchema(name: string): OutputSchema {
	return JSON.parse(readFileSync(schemaFile(name), 'utf8')) as OutputSchema;
}

const NAMES = Object.keys(PARAMETERS);

test.each(NAMES)('%s', async (name) => {
	const records: IDataObject[] = [];
	for (const dialect of DIALECTS) records.push(...(await outputOf(sandbox, name, dialect)));
	expect(records.length).toBeGreaterThan(1);
	const schema = { ...records.map(schemaOf).reduce(merged), version: 1 };
	const file = schemaFile(name);
	if (process.env.UPDATE_DOCS === 'true') {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, `${JSON.stringify(schema, null, '\t')}\n`);
	}
	expect(storedSchema(name)).toEqual(schema);
	// The editor shows no schema without fields.
	expect(Object.keys(schema.properties ?? {}).length).toBeGreaterThan(0);
});

test('there is no schema of an operation that does not exist', () => {
	const folder = join(dirname(schemaFile('link:create')), '..');
	const expected = NAMES.map((name) => `${name.replace(':', '/')}.json`);
	const stored = () =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
	if (process.env.UPDATE_DOCS === 'true')
		for (const file of stored()) if (!expected.includes(file)) rmSync(join(folder, file));
	expect(stored().sort()).toEqual(expected.sort());
});
