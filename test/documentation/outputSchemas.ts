/** Output schemas: what n8n's editor and AI agents know of an operation's items before it ever ran. */
import { join } from 'path';

import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../nodes/LinkManagement/service/records';
import { PROJECT } from './markdown';

/** As n8n reads it: JSON Schema, one type each. */
export interface OutputSchema {
	type: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';
	properties?: Record<string, OutputSchema>;
	items?: OutputSchema;
}

/** Objects whose fields are data: names of countries, browsers, networks, devices. */
const BY_NAME = /^(top[A-Z]\w*|socialCount|location|device)$/;

/** Where n8n looks for the schema of an operation: the version has three parts, the names are the parameters' values. */
export function schemaFile(name: string): string {
	return join(PROJECT, 'nodes', 'LinkManagement', '__schema__', 'v1.0.0', `${name.replace(':', '/')}.json`);
}

function typeOf(value: unknown): OutputSchema['type'] {
	if (value === null || value === undefined) return 'null';
	if (Array.isArray(value)) return 'array';
	if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
	return typeof value as 'object' | 'string' | 'boolean';
}

function schemaOfValue(name: string, value: unknown): OutputSchema {
	const type = typeOf(value);
	if (type === 'array') {
		const entries = (value as unknown[]).map((entry) => schemaOfValue('', entry));
		return entries.length === 0 ? { type } : { type, items: entries.reduce(merged) };
	}
	if (!isRecord(value) || BY_NAME.test(name)) return { type };
	return schemaOf(value);
}

/** The schema of one record. */
export function schemaOf(record: IDataObject): OutputSchema {
	const properties = Object.entries(record).map(([name, value]) => [name, schemaOfValue(name, value)] as const);
	return { type: 'object', properties: Object.fromEntries(properties) };
}

/**
 * What two records have in common and each for itself. A field that is null in one has the type of the other.
 *
 * @throws Error where they contradict each other
 */
export function merged(one: OutputSchema, other: OutputSchema): OutputSchema {
	if (one.type === 'null') return other;
	if (other.type === 'null') return one;
	if (one.type !== other.type) throw new Error(`${one.type} in one, ${other.type} in another`);
	if (one.items !== undefined && other.items !== undefined) return { ...one, items: merged(one.items, other.items) };
	if (one.properties === undefined || other.properties === undefined) return { ...other, ...one };
	const properties = { ...one.properties };
	for (const [name, schema] of Object.entries(other.properties)) {
		try {
			properties[name] = properties[name] === undefined ? schema : merged(properties[name], schema);
		} catch (error) {
			throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
		}
	}
	return { ...one, properties };
}
