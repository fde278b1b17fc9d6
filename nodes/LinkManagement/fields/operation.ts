import type { INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';

import { customOperation, toolRouting, type RunRows } from '../n8n/entries';
import type { Operation } from '../run/operation';
import type { Field } from '../run/request';
import { runRows } from '../run/run';
import { optionEntries, optionsField } from './options';

/** An operation as its file states it. */
export interface OperationDefinition extends Omit<Operation, 'resource'> {
	/** Value of the operation selector (fixed: saved workflows hold it). */
	value: string;
	name: string;
	description: string;
	/** Entries of the Options collection besides the common ones. */
	extraOptions?: Field[];
}

/** A resource as its index states it. */
export interface ResourceDefinition {
	value: string;
	name: string;
	/** What its records are. Agents read it with each of its operations. */
	description: string;
	/** In the editor's order. */
	operations: OperationDefinition[];
}

/** What the editor offers first: to create a record, where that can be done. Fixed: saved workflows may leave it out. */
function firstOffered(operations: OperationDefinition[]): OperationDefinition {
	return operations.find(({ value }) => value === 'create') ?? operations[0];
}

function optionsOf({ extraOptions, list }: OperationDefinition): Field[] {
	return optionEntries(extraOptions, list !== undefined);
}

/** What an operation does, for the engine to call. */
function running(resource: string, operation: OperationDefinition): RunRows {
	const whole = { ...operation, resource, options: optionsOf(operation) };
	return async (input) => await runRows(input, whole);
}

function selectorEntry(resource: string, operation: OperationDefinition): INodePropertyOptions {
	const { name, value, action, description } = operation;
	return { name, value, action, description, routing: toolRouting(operation.request, running(resource, operation)) };
}

/** What n8n calls for an operation of a resource, in place of its own routing. */
export function customOperations(resources: ResourceDefinition[]): NonNullable<INodeType['customOperations']> {
	return Object.fromEntries(
		resources.map(({ value: resource, operations }) => [
			resource,
			Object.fromEntries(
				operations.map((operation) => [operation.value, customOperation(running(resource, operation))]),
			),
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

/** The Options of a resource's operations: one property for those that have the same ones. */
function optionsFields({ value: resource, operations }: ResourceDefinition): INodeProperties[] {
	const groups = new Map<string, { field: INodeProperties; users: string[] }>();
	for (const operation of operations) {
		const entries = optionsOf(operation);
		const key = entries.map(({ name }) => name).join();
		const group = groups.get(key);
		if (group === undefined) groups.set(key, { field: optionsField(entries), users: [operation.value] });
		else group.users.push(operation.value);
	}
	return [...groups.values()].map(({ field, users }) => shownFor(field, resource, users));
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
		...resources.map(({ value: resource, operations }) => ({
			displayName: 'Operation',
			name: 'operation',
			type: 'options' as const,
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
			options: operations.map((operation) => selectorEntry(resource, operation)),
			default: firstOffered(operations).value,
		})),
		...resources.flatMap(parameters),
		...resources.flatMap(optionsFields),
	];
}
