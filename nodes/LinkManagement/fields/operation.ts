import type { INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';

import { customOperation, type RunRows, toolRouting } from '../n8n/entries';
import type { Field } from '../run/request';
import type { Operation } from '../run/row';
import { runRows } from '../run/run';
import { sendForList, sendForPage, sendRequest } from '../run/sendRequest';
import { collection } from './collections';
import { includeInput } from './inputs';

/** An operation, as its file defines it. */
export interface OperationDefinition
	extends Omit<Operation, 'resource' | 'performRow'>, Partial<Pick<Operation, 'performRow'>> {
	/** Value of the operation selector (fixed: saved workflows hold it). */
	value: string;
	name: string;
	description: string;
	/** Entries of Options besides the common ones. */
	extraOptions?: Field[];
}

/** A resource, as its index defines it. */
export interface ResourceDefinition {
	value: string;
	name: string;
	/** What its records are. Agents read it with each operation. */
	description: string;
	/** In the editor's order. */
	operations: OperationDefinition[];
}

function optionsOf({ extraOptions = [], list }: OperationDefinition): Field[] {
	const entries = [...extraOptions, ...(list === undefined ? [includeInput] : [])];
	return entries.sort((one, other) => (one.displayName < other.displayName ? -1 : 1));
}

/** The function that runs an operation. */
function running(resource: string, operation: OperationDefinition): RunRows {
	const isList = operation.list !== undefined;
	const usual = isList ? { performRow: sendForList, asTool: { performRow: sendForPage } } : { performRow: sendRequest };
	const whole = { ...usual, ...operation, resource, options: optionsOf(operation) };
	return async (contexts) => await runRows(contexts, whole);
}

function selectorEntry(resource: string, operation: OperationDefinition): INodePropertyOptions {
	const { name, value, action, description } = operation;
	return { name, value, action, description, routing: toolRouting(operation.request, running(resource, operation)) };
}

/** The custom operations of a node: n8n calls them instead of its own routing. */
export function customOperations(resources: ResourceDefinition[]): NonNullable<INodeType['customOperations']> {
	const entries = resources.map(({ value: resource, operations }) => [
		resource,
		Object.fromEntries(operations.map((operation) => [operation.value, customOperation(running(resource, operation))])),
	]);
	return Object.fromEntries(entries) as NonNullable<INodeType['customOperations']>;
}

/** The same parameter, shown for some operations of a resource. */
function shownForOperations(field: INodeProperties, resource: string, operation: string[]): INodeProperties {
	return {
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { resource: [resource], operation, ...field.displayOptions?.show },
		},
	};
}

/**
 * The parameters of a resource's operations, in their order. A field that several operations share, such as the ID of the record, is one
 * property.
 */
function parameters({ value: resource, operations }: ResourceDefinition): INodeProperties[] {
	const fields = [...new Set(operations.flatMap((operation) => operation.fields))];
	return fields.map((field) => {
		const users = operations.filter((operation) => operation.fields.includes(field)).map(({ value }) => value);
		return shownForOperations(field, resource, users);
	});
}

function optionsFields({ value: resource, operations }: ResourceDefinition): INodeProperties[] {
	const having = operations.filter((operation) => optionsOf(operation).length > 0);
	return having.map((operation) =>
		shownForOperations(collection('Options', 'options', optionsOf(operation), 'Add option'), resource, [
			operation.value,
		]),
	);
}

/** The subtitle of a node on the canvas: its operation and resource, as the editor names them. */
export function nodeSubtitle(resources: ResourceDefinition[]): string {
	const namesOf = (entries: Array<{ value: string; name: string }>) =>
		JSON.stringify(Object.fromEntries(entries.map(({ value, name }) => [value, name])));
	const operations = namesOf(resources.flatMap((resource) => resource.operations));
	return `={{ (${operations})[$parameter["operation"]] + ": " + (${namesOf(resources)})[$parameter["resource"]] }}`;
}

/**
 * The properties of a node: the resource selector, then for each resource its operation selector and the parameters of its operations;
 * Options come last. The default operation (Create, if there is one) is fixed: saved workflows may leave it out.
 */
export function nodeProperties(resources: ResourceDefinition[]): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value, description }) => ({ name, value, description })),
			default: 'link',
		},
		...resources.map(({ value: resource, operations }) => ({
			displayName: 'Operation',
			name: 'operation',
			type: 'options' as const,
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
			options: operations.map((operation) => selectorEntry(resource, operation)),
			default: (operations.find(({ value }) => value === 'create') ?? operations[0]).value,
		})),
		...resources.flatMap(parameters),
		...resources.flatMap(optionsFields),
	];
}
