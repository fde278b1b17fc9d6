/**
 * What saved workflows depend on: the names of resources, operations and parameters, with their defaults and choices. names.json has
 * them; `npm run docs` adds new ones. What is there must not go, for that breaks the workflows of users.
 */
import { readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import {
	NodeHelpers,
	Workflow,
	type INode,
	type INodeType,
	type INodeParameterResourceLocator,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
} from 'n8n-workflow';

import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { resources } from '../../nodes/LinkManagement/resources';

const FILE = join(__dirname, 'names.json');
const { description } = new LinkManagement();
const trigger = new LinkManagementTrigger().description;

type Names = Record<string, Record<string, string>>;

/** The default and the choices of a parameter, as one line: `fail: fail another returnExisting`. */
function valuesOf({ default: standard, options = [], modes = [] }: INodeProperties): string {
	const choices = options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
	const value = modes.length > 0 ? (standard as INodeParameterResourceLocator).mode : JSON.stringify(standard);
	return [`${value}:`, ...choices, ...modes.map(({ name }) => name)].join(' ');
}

/** A parameter, and what it holds, by their paths. */
function namesIn(property: INodeProperties, before = ''): Record<string, string> {
	const { name, type, options = [] } = property;
	if (type === 'notice') return {};
	const own = { [before + name]: /[cC]ollection/.test(type) ? '' : valuesOf(property) };
	const inner =
		type === 'collection'
			? (options as INodeProperties[]).map((entry) => namesIn(entry, `${before}${name}.`))
			: type === 'fixedCollection'
				? (options as INodePropertyCollection[]).flatMap((group) =>
						group.values.map((value) => namesIn(value, `${before}${name}.${group.name}.`)),
					)
				: [];
	return Object.assign(own, ...inner) as Record<string, string>;
}

/** The names of all parameters, by the operations that have them. */
function namesNow(): Names {
	const names: Names = {};
	for (const property of [...description.properties, ...trigger.properties]) {
		const { resource = [''], operation = [''], '@tool': isTool } = property.displayOptions?.show ?? {};
		// An agent's tool begins with a mapping of its own.
		if (isTool?.[0] === true) continue;
		for (const of of resource)
			for (const one of operation)
				names[`${String(of)}:${String(one)}`] = { ...names[`${String(of)}:${String(one)}`], ...namesIn(property) };
	}
	return names;
}

test('the names, defaults and choices of saved workflows are there', () => {
	const now = namesNow();
	if (process.env.UPDATE_DOCS === 'true') writeFileSync(FILE, `${JSON.stringify(now, null, '\t')}\n`);
	const saved = JSON.parse(readFileSync(FILE, 'utf8')) as Names;
	expect(Object.keys(saved).length).toBeGreaterThan(35);
	expect(now).toMatchObject(saved);
});

test('below the node stands its operation, as the editor names it', () => {
	const type = { description } as INodeType;
	const nodeTypes = { getByName: () => type, getByNameAndVersion: () => type, getKnownTypes: () => ({}) };
	for (const { value: resource, name: ofResource, operations } of resources)
		for (const { value: operation, name } of operations) {
			const node: INode = {
				id: '',
				name: '',
				type: '',
				typeVersion: 1,
				position: [0, 0],
				parameters: { resource, operation },
			};
			const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
			const shown = workflow.expression.getSimpleParameterValue(node, description.subtitle, 'internal', {});
			expect(shown).toBe(`${name}: ${ofResource}`);
		}
});

/** The parameters that n8n finds missing where nothing is entered, and these are. */
function missing(parameters: INodeParameters): string[] {
	const { properties } = description;
	const node = { id: '', name: '', type: '', typeVersion: 1, position: [0, 0] as [number, number], parameters };
	return Object.keys(NodeHelpers.getNodeParametersIssues(properties, node, description)?.parameters ?? {});
}

test('where an expression makes a choice, n8n requires none of the fields that the choice may hide', () => {
	let tried = 0;
	for (const name of Object.keys(namesNow()).filter((one) => one !== ':')) {
		const [resource, operation] = name.split(':');
		const shown = description.properties.filter(
			({ displayOptions: { show = {} } = {} }) =>
				show.resource?.includes(resource) && (show.operation?.includes(operation) ?? true),
		);
		const conditionsOf = ({ displayOptions: { show = {}, hide = {} } = {} }: INodeProperties) =>
			Object.keys({ ...show, ...hide }).filter((one) => one !== 'resource' && one !== 'operation');
		const choices = new Set(shown.flatMap(conditionsOf));
		const always = shown.filter((property) => conditionsOf(property).length === 0).map((property) => property.name);
		const chosen = Object.fromEntries([...choices].map((choice) => [choice, '={{ $json.choice }}']));
		const required = missing({ resource, operation, ...chosen });
		expect([name, required.filter((one) => !always.includes(one))]).toEqual([name, []]);
		tried += choices.size;
	}
	expect(tried).toBeGreaterThan(5);
});

/** The labels of the fields that take a value, each with its path. */
function labelsIn(property: INodeProperties, before = ''): Array<[label: string, path: string]> {
	const { name, type, options = [], displayName } = property;
	if (['notice', 'resourceMapper'].includes(type)) return [];
	const path = `${before}.${name}`;
	if (type === 'collection') return (options as INodeProperties[]).flatMap((entry) => labelsIn(entry, path));
	if (type !== 'fixedCollection') return [[displayName, path]];
	return (options as INodePropertyCollection[]).flatMap(({ values }) => values.flatMap((one) => labelsIn(one, path)));
}

test('no two fields of an operation have one label: n8n makes a key of it, where a model is to fill the field', () => {
	for (const { value: resource, operations } of resources)
		for (const { value: operation } of operations) {
			const paths = new Map<string, Set<string>>();
			const own = description.properties.filter(({ displayOptions: { show = {} } = {} }) => {
				const isAlways = Object.keys(show).every((name) =>
					['resource', 'operation', 'returnAll', '@tool'].includes(name),
				);
				return isAlways && show.resource?.includes(resource) && show.operation?.includes(operation);
			});
			for (const [label, path] of own.flatMap((property) => labelsIn(property)))
				paths.set(label, (paths.get(label) ?? new Set()).add(path));
			const twice = [...paths].flatMap(([label, of]) => (of.size > 1 ? [[label, ...of]] : []));
			expect([resource, operation, twice]).toEqual([resource, operation, []]);
		}
});

test('each field that chooses a record says to a model what it takes', () => {
	const locators = description.properties.filter(({ type }) => type === 'resourceLocator');
	expect(locators.length).toBeGreaterThan(6);
	expect(locators.filter(({ description: said }) => !/^ID[, ]/.test(said ?? ''))).toEqual([]);
});

/** The entry of the fields of a link that the editor offers, with these fields entered. */
function offered(name: string, linkFields: INodeParameters): INodeProperties[] {
	const parameters = { resource: 'link', operation: 'create', linkFields };
	const isShown = (property: INodeProperties) =>
		NodeHelpers.displayParameter(parameters, property, { typeVersion: 1 }, description, parameters);
	const [collection] = description.properties.filter((property) => property.name === 'linkFields' && isShown(property));
	return (collection.options as INodeProperties[]).filter((entry) => entry.name === name && isShown(entry));
}

/** What n8n's editor keeps of the fields of a link after each change. */
function kept(linkFields: INodeParameters): INodeParameters | null {
	const saved = { resource: 'link', operation: 'create', linkFields };
	return NodeHelpers.getNodeParameters(description.properties, saved, false, false, { typeVersion: 1 }, description);
}

test.each(['deeplink', 'utm'])('the field %s stays while nothing is entered into it', (name) => {
	const entered = offered(name, {})[0].default as INodeParameters;
	expect(kept({ [name]: entered })).toEqual({ linkFields: { [name]: { value: {} } } });
});
