import type { INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';

import { executing, type ItemOperation } from '../execution/execute';
import { runOperation } from '../execution/runOperation';
import { options } from './options';

/** An operation as its file states it. */
export interface OperationDefinition extends Omit<ItemOperation, 'labels'> {
	/** Value of the operation selector (fixed: saved workflows hold it). */
	value: string;
	name: string;
	description: string;
	/** The parameters, in the editor's order, without display conditions: they follow from resource and operation. */
	fields: INodeProperties[];
	/** Entries of the Options collection besides the common ones. */
	extraOptions?: INodeProperties[];
}

/** A resource as its index states it. */
export interface ResourceDefinition {
	value: string;
	name: string;
	/** What its records are. Agents read it with each of its operations. */
	description: string;
	/** In the editor's order. */
	operations: OperationDefinition[];
	/** What the editor offers first. Fixed, as the values are: saved workflows may leave it out. */
	defaultOperation: OperationDefinition;
}

/** Parameter names, and those within collections as `collection.field`, with the names that the editor shows. */
function labelsOf(fields: INodeProperties[], prefix = ''): Map<string, string> {
	const labels = new Map<string, string>();
	for (const field of fields) {
		labels.set(prefix + field.name, field.displayName);
		if (field.type !== 'collection') continue;
		for (const [name, label] of labelsOf((field.options ?? []) as INodeProperties[], `${field.name}.`))
			labels.set(name, label);
	}
	return labels;
}

function withLabels(operation: OperationDefinition): ItemOperation {
	return { ...operation, labels: labelsOf(operation.fields) };
}

function selectorEntry(operation: OperationDefinition): INodePropertyOptions {
	const { name, value, action, description } = operation;
	return { name, value, action, description, routing: executing(withLabels(operation)) };
}

/** What n8n calls for an operation of a resource, in place of its own routing. */
export function customOperations(resources: ResourceDefinition[]): NonNullable<INodeType['customOperations']> {
	return Object.fromEntries(
		resources.map(({ value: resource, operations }) => [
			resource,
			Object.fromEntries(operations.map((operation) => [operation.value, runOperation(withLabels(operation))])),
		]),
	);
}

/** The same parameter, shown for these operations of a resource. */
function shownFor(field: INodeProperties, resource: string, operation: string[]): INodeProperties {
	return {
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { resource: [resource], operation, ...field.displayOptions?.show },
		},
	};
}

/** All fields of these operations, in an order that keeps each operation's own. */
function inOrder(operations: OperationDefinition[]): INodeProperties[] {
	const ordered: INodeProperties[] = [];
	const left = operations.map(({ fields }) => [...fields]).filter((fields) => fields.length > 0);
	while (left.some((fields) => fields.length > 0)) {
		const isNext = (field: INodeProperties) => left.every((fields) => fields.indexOf(field) <= 0);
		const next = left.map(([first]) => first).find((first) => first !== undefined && isNext(first));
		if (next === undefined) throw new Error('Two operations have the same fields in different orders');
		ordered.push(next);
		for (const fields of left) if (fields[0] === next) fields.shift();
	}
	return ordered;
}

/** The parameters of a resource's operations. What several of them have in common (the ID of the record, say) is one property. */
function parameters({ value: resource, operations }: ResourceDefinition): INodeProperties[] {
	const usersOf = (field: INodeProperties) =>
		operations.filter(({ fields }) => fields.includes(field)).map(({ value }) => value);
	return inOrder(operations).map((field) => shownFor(field, resource, usersOf(field)));
}

/** The Options of all operations: one property for the resources that have the common ones alone. */
function allOptions(resources: ResourceDefinition[]): INodeProperties[] {
	const hasMore = ({ extraOptions }: OperationDefinition) => extraOptions !== undefined;
	const common = resources.filter(({ operations }) => !operations.some(hasMore)).map(({ value }) => value);
	const others = resources.filter(({ value }) => !common.includes(value));
	return [
		...(common.length === 0 ? [] : [{ ...options(), displayOptions: { show: { resource: common } } }]),
		...others.flatMap(({ value: resource, operations }) => {
			const plain = operations.filter((operation) => !hasMore(operation)).map(({ value }) => value);
			return [
				...operations
					.filter(hasMore)
					.map(({ value, extraOptions }) => shownFor(options(extraOptions), resource, [value])),
				...(plain.length === 0 ? [] : [shownFor(options(), resource, plain)]),
			];
		}),
	];
}

/**
 * The properties of a node with these resources: the resource selector, then for each resource its operation selector and the
 * parameters of its operations; Options come last.
 */
export function properties(resources: ResourceDefinition[]): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value, description }) => ({ name, value, description })),
			default: 'link',
		},
		...resources.map(({ value: resource, operations, defaultOperation }) => ({
			displayName: 'Operation',
			name: 'operation',
			type: 'options' as const,
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
			options: operations.map(selectorEntry),
			default: defaultOperation.value,
		})),
		...resources.flatMap(parameters),
		...allOptions(resources),
	];
}

/** What the canvas shows below the node's name: what it does, in the words of the nodes panel. */
export function subtitle(resources: ResourceDefinition[]): string {
	const actions = resources.flatMap(({ value: resource, operations }) =>
		operations.map(({ value, action }) => [`${resource}:${value}`, action]),
	);
	return `={{ (${JSON.stringify(Object.fromEntries(actions))})[$parameter["resource"] + ":" + $parameter["operation"]] }}`;
}
