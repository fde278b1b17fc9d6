/**
 * Parameters that are read without asking the engine: a property test that they are what the engine gives, for every kind of
 * value and item.
 */
import fc from 'fast-check';
import { ExecuteSingleContext } from 'n8n-core';
import { createRunExecutionData, type IDataObject, type INodeExecutionData } from 'n8n-workflow';

import { readParameter } from '../../nodes/LinkManagement/n8n/parameter';
import { additionalData, load, workflowOf } from './host';

const credential = { baseUrl: 'https://links.example', apiKey: 'a-key' };

/** The engine's context of the only item of a node with these parameters. */
function contextOf(parameters: IDataObject, json: IDataObject): ExecuteSingleContext {
	const base = workflowOf(parameters, { credential });
	const workflow = load(base);
	const node = workflow.getNode('Links')!;
	const items: INodeExecutionData[] = [{ json, pairedItem: { item: 0 } }];
	const data = { main: [items] };
	const execution = { node, data, source: null };
	const additional = additionalData(credential, base);
	const runData = createRunExecutionData({});
	return new ExecuteSingleContext(workflow, node, additional, 'manual', runData, 0, items, data, 0, execution);
}

const known = ['url', 'Long URL', 'alias', 'été', 'a-b'];
const inherited = ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'length'];
const fieldName = fc.oneof(fc.constantFrom(...known, ...inherited), fc.string({ maxLength: 12 }));
const value = fc.oneof(
	fc.string(),
	fc.constantFrom('', '=', '={{ 1 }}', '{{ $json }}', 'null', '2030-01-01'),
	fc.integer(),
	fc.double(),
	fc.boolean(),
	fc.constant(null),
	fc.array(fc.integer(), { maxLength: 3 }),
	fc.dictionary(fc.string({ maxLength: 5 }), fc.integer(), { maxKeys: 3 }),
);

/** A field of the item, as the editor writes it when it is dragged in, and as people write it. */
function expressionOf(name: string, style: number): string {
	const quoted = JSON.stringify(name);
	const forms = [
		`={{ $json[${quoted}] }}`,
		`={{$json[${quoted}]}}`,
		`={{ $json['${name.replace(/['\\]/g, '')}'] }}`,
		/^[A-Za-z_]\w*$/.test(name) ? `={{ $json.${name} }}` : `={{ $json[${quoted}] }}`,
		`=prefix {{ $json[${quoted}] }}`,
		`={{ $json[${quoted}] ?? "none" }}`,
	];
	return forms[style % forms.length];
}

function outcome(read: () => unknown): unknown {
	try {
		return { value: read() };
	} catch (error) {
		return { error: (error as Error).message };
	}
}

test('a field of the item, alone and in a collection, whatever its name and value', () => {
	fc.assert(
		fc.property(
			fc.array(fc.tuple(fieldName, value), { maxLength: 4 }),
			fieldName,
			fc.nat(),
			value,
			(fields, asked, style, fixed) => {
				const json = JSON.parse(JSON.stringify(Object.fromEntries(fields))) as IDataObject;
				const expression = expressionOf(asked, style);
				const parameters = {
					resource: 'link',
					operation: 'create',
					url: expression,
					linkFields: {
						custom: expression,
						description: fixed,
						parameters: { values: [{ name: 'a', value: expression }] },
					},
				} as IDataObject;
				const context = contextOf(parameters, json);
				expect(readParameter(context, 'none')).toBeUndefined();
				for (const name of ['url', 'linkFields', 'options', 'operation']) {
					expect(outcome(() => readParameter(context, name))).toEqual(
						outcome(() => context.getNodeParameter(name, undefined)),
					);
				}
			},
		),
		{ numRuns: 300 },
	);
});
