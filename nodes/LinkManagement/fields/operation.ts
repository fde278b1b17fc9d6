import type { IHttpRequestMethods, INodeProperties, INodePropertyOptions, PostReceiveAction } from 'n8n-workflow';

import { openList, openRecord } from '../service/door';
import { sending, type Sends } from '../service/prepare';
import { mergedCollections } from './merging';
import { options, OPTIONS } from './options';

/** An operation as its file states it. */
export interface OperationDefinition {
	/** Value of the operation selector (fixed: saved workflows hold it). */
	value: string;
	name: string;
	/** What the nodes panel shows: "Create a campaign". */
	action: string;
	description: string;
	/** Spec, "Endpoints". `:name` in the URL stands for the path parameter of that name. */
	request: { method: IHttpRequestMethods; url: `/api/${string}` };
	/** The parameters, in the editor's order, without display conditions: they follow from resource and operation. */
	fields: INodeProperties[];
	sends: Sends;
	/** From the records of an answer to items; the envelope is off already. */
	output?: PostReceiveAction[];
	/** Entries of the Options collection beside the common ones. */
	extraOptions?: INodeProperties[];
}

/** A resource as its index states it. */
export interface ResourceDefinition {
	value: string;
	name: string;
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
		for (const [name, label] of labelsOf((field.options ?? []) as INodeProperties[], `${field.name}.`)) labels.set(name, label);
	}
	return labels;
}

function selectorEntry(operation: OperationDefinition): INodePropertyOptions {
	const { name, value, action, description, request, sends, output = [] } = operation;
	const open = sends.list === undefined ? openRecord : openList(sends.list);
	return {
		name,
		value,
		action,
		description,
		routing: {
			request,
			send: sending(sends, labelsOf(operation.fields)),
			output: { postReceive: [open, ...output] },
		},
	};
}

/** A parameter and where it belongs. */
interface Placed {
	resource: string;
	operation: string;
	field: INodeProperties;
}

/**
 * Makes one property of each parameter that several operations of a resource have in common (the ID of the record, say): the
 * engine evaluates the expressions in a parameter once for each property of its name.
 */
function shared(placed: Placed[]): INodeProperties[] {
	const operations = new Map<string, Map<INodeProperties, string[]>>();
	for (const { resource, operation, field } of placed) {
		const fields = operations.get(resource) ?? new Map<INodeProperties, string[]>();
		operations.set(resource, fields.set(field, [...(fields.get(field) ?? []), operation]));
	}
	return [...operations].flatMap(([resource, fields]) =>
		[...fields].map(([field, operation]) => ({
			...field,
			displayOptions: { ...field.displayOptions, show: { resource: [resource], operation, ...field.displayOptions?.show } },
		})),
	);
}

/**
 * The properties of a node with these resources: the resource selector, then for each resource its operation selector and the
 * parameters of its operations, and at the end the collections, which operations of the same name share;
 * Options come last.
 */
export function properties(resources: ResourceDefinition[]): INodeProperties[] {
	const placed: Placed[] = resources.flatMap(({ value: resource, operations }) =>
		operations.flatMap(({ value: operation, fields, extraOptions }) =>
			fields.map((field) => ({ resource, operation, field })).concat({ resource, operation, field: options(extraOptions) }),
		),
	);
	const isCollection = ({ field }: Placed) => field.type === 'collection';
	const collections = mergedCollections(placed.filter(isCollection).map(({ field, ...place }) => ({ ...place, collection: field })));
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value }) => ({ name, value })),
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
		...shared(placed.filter((one) => !isCollection(one))),
		...collections.filter(({ name }) => name !== OPTIONS),
		...collections.filter(({ name }) => name === OPTIONS),
	];
}
