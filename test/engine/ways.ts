/** Every way in which the package speaks to a service, as the pages' examples go it, and what leaves by it. */
import * as core from 'n8n-core';

import { EVENTS, OPERATIONS, type OperationExample } from '../documentation/examples';
import type { Sandbox } from '../sandbox';
import { loadOptions, run, search, searches, testCredential, type Credential, type NodeSettings } from './host';
import { TriggerHost, type as trigger } from './pollHost';

/** What a user sees and n8n keeps of it, and what it failed with, where it did. */
export interface Trace {
	left: unknown[];
	message?: string;
}

/** @param sandbox the service, where something can be made to happen there */
export type Way = (credential: Credential, sandbox?: Sandbox) => Promise<Trace>;

async function traceOf(work: Promise<unknown>): Promise<Trace> {
	return await work.then(
		(result) => ({ left: [result] }),
		(error: Error) => ({ left: [error], message: error.message }),
	);
}

export function operationWay({ operation: name, parameters }: OperationExample, node?: NodeSettings): Way {
	const [resource, operation] = name.split(':');
	return async (credential) => {
		const { run: whole, saved, error } = await run({ resource, operation, ...parameters }, { credential, node });
		return { left: [whole.data.resultData, saved], message: error?.message };
	};
}

const eventWays = EVENTS.flatMap(({ parameters, happens }): Array<[string, Way]> => [
	[
		`${parameters.event}, tested`,
		async (credential) => await traceOf(new TriggerHost({ credential, parameters }).fetchTestEvent()),
	],
	[
		`${parameters.event}, activated`,
		async (credential, sandbox) => {
			const host = new TriggerHost({ credential, parameters });
			const { left, message } = await traceOf(host.activate());
			if (sandbox !== undefined) {
				await happens(sandbox);
				left.push(...(await traceOf(host.poll())).left);
			}
			// What n8n writes to its database.
			expect(host.saved.length).toBeLessThan(20_000);
			return { left: [...left, host.saved, host.executions, host.warnings, host.errors], message };
		},
	],
]);

export const WAYS: Array<[name: string, Way]> = [
	...OPERATIONS.map((example): [string, Way] => [example.operation, operationWay(example)]),
	...searches.map((method): [string, Way] => [method, async (credential) => await traceOf(search(method, credential))]),
	...['getLinks', 'getQrCodes'].map((method): [string, Way] => [
		method,
		async (credential) => await traceOf(loadOptions(method, credential, trigger)),
	]),
	['loadPixels', async (credential) => await traceOf(loadOptions('loadPixels', credential))],
	// Later engines activate pollers in another class; there, the trigger's side is tested in a real n8n.
	...('ActiveWorkflows' in core ? eventWays : []),
	[
		'credential test',
		async (credential) => {
			const { status, message } = await testCredential(credential);
			return { left: [message], message: status === 'Error' ? message : undefined };
		},
	],
];

/** Every text in a value, names of its fields and what errors hide included. */
export function textsOf(value: unknown, seen = new Set<unknown>()): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null || seen.has(value)) return [];
	seen.add(value);
	const fields = value as Record<string, unknown>;
	return Object.getOwnPropertyNames(value).flatMap((name) => [name, ...textsOf(fields[name], seen)]);
}
