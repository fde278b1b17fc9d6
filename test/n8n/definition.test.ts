/** The definition that n8n's newest version makes of the node for AI agents, workflow builders and MCP clients. */
import { execFileSync } from 'child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';

import type { INodeProperties } from 'n8n-workflow';
import ts from 'typescript';

import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { resources } from '../../nodes/LinkManagement/resources';
import type { OperationDefinition } from '../../nodes/LinkManagement/fields/operation';
import { installation, NODE_TYPE, TRIGGER_TYPE } from './host';

/** Characters of an operation, on average and at most. */
const MOST_ON_AVERAGE = 1300;
const MOST_OF_AN_OPERATION = 5000;

let definition: string;
let trigger: string;
/** Type name → names of its parameters, those within collections as collection.name. */
let types: Map<string, string[]>;

function namesOf(type: ts.TypeNode, prefix = ''): string[] {
	if (!ts.isTypeLiteralNode(type)) return [];
	return type.members.filter(ts.isPropertySignature).flatMap(({ name, type: own }) => {
		const spelled = prefix + name.getText();
		return [spelled, ...(own === undefined || prefix !== '' ? [] : namesOf(own, `${spelled}.`))];
	});
}

function typesIn(text: string): Map<string, string[]> {
	const source = ts.createSourceFile('definition.ts', text, ts.ScriptTarget.Latest, true);
	return new Map(
		source.statements
			.filter(ts.isTypeAliasDeclaration)
			.map((alias): [string, string[]] => [alias.name.text, namesOf(alias.type)]),
	);
}

/** The parameters that an operation states in its file, in the same notation. */
function stated({ fields, list, extraOptions = [] }: OperationDefinition): string[] {
	const names = fields
		.filter(({ type }) => type !== 'notice' && type !== 'hidden')
		.flatMap(({ name, type, options = [] }) => [
			name,
			...(type === 'collection' ? (options as INodeProperties[]).map((entry) => `${name}.${entry.name}`) : []),
			...(type === 'fixedCollection' ? options.map((entry) => `${name}.${entry.name}`) : []),
		]);
	const options = [...extraOptions.map(({ name }) => name), ...(list === undefined ? ['includeInput'] : [])];
	return [...names, ...(options.length > 0 ? ['options'] : []), ...options.map((name) => `options.${name}`)];
}

/** What the parameters of an operation are called in the definition of the node. */
function typeName(resource: string, operation: string): string {
	const pascal = (word: string) => word.replace(/^./, (first) => first.toUpperCase());
	return `LinkManagementV1${pascal(resource)}${pascal(operation)}Params`;
}

beforeAll(async () => {
	const descriptions = [
		{ ...new LinkManagement().description, name: NODE_TYPE },
		{ ...new LinkManagementTrigger().description, name: TRIGGER_TYPE },
	];
	const { folder: cwd, node } = await installation();
	const temporary = mkdtempSync(join(tmpdir(), 'link-management-definition-'));
	try {
		const file = join(temporary, 'descriptions.json');
		writeFileSync(file, JSON.stringify(descriptions));
		const output = execFileSync(node, [join(__dirname, 'definitions.cjs'), file], { cwd, maxBuffer: 1e7 });
		[definition, trigger] = JSON.parse(output.toString()) as string[];
	} finally {
		rmSync(temporary, { recursive: true });
	}
	types = typesIn(definition);
});

test.each(
	resources.flatMap(({ value, operations }) =>
		operations.map((operation) => [`${value}:${operation.value}`, value, operation] as const),
	),
)('%s holds its own parameters, and those of no other resource', (_name, resource, operation) => {
	const names = types.get(typeName(resource, operation.value)) ?? [];
	// A choice by list, ID and so on has parts of its own.
	const parameters = names.filter((name) => !/\.(__rl|mode|value|cachedResultName)$/.test(name));
	const expected = ['resource', 'operation', ...stated(operation)];
	expect(parameters.sort()).toEqual([...new Set(expected)].filter((name) => !/\.value$/.test(name)).sort());
});

test(`an operation has ${MOST_ON_AVERAGE} characters on average, and no more`, () => {
	const operations = resources.flatMap((resource) => resource.operations).length;
	expect(definition.length / operations).toBeLessThanOrEqual(MOST_ON_AVERAGE);
	expect(types.size).toBeGreaterThan(operations);
});

test('what a model may leave out has an empty default: a call without it gets an answer', () => {
	const given = [...JSON.stringify(new LinkManagement().description).matchAll(/\$fromAI\((.*?)\) }}/g)];
	expect(given.length).toBeGreaterThan(3);
	expect(given.filter(([, call]) => !call.endsWith(", 'string', ''"))).toEqual([]);
});

test(`no operation has more than ${MOST_OF_AN_OPERATION} characters`, () => {
	const lengths = definition.split(/^(?=export type)/m).map((text) => text.length);
	expect(Math.max(...lengths.slice(1))).toBeLessThanOrEqual(MOST_OF_AN_OPERATION);
});

test('no parameter is told of that another operation has', () => {
	expect(definition).not.toMatch(/@displayOptions\.\w+ {[^}]*\/(operation|resource)/);
});

test('nothing of it is markup or an expression', () => {
	expect(definition).not.toMatch(/&lt;|={{/);
});

test('the trigger demands no parameter that its event may not have', () => {
	expect(trigger).toContain('qrCodeIds?: string[]');
	expect(trigger).not.toMatch(/^ {4}\w+:/m);
});
