/** A service for the tests of a file, and the node at work there. */
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox, type SandboxOptions, type SandboxState } from '../sandbox';
import * as host from './host';

let started: Sandbox;
let keys = 0;
let apiKey = '';

/** The service, while tests run. */
export const sandbox = new Proxy({} as Sandbox, {
	get: (_target, name) => (name === 'apiKey' ? apiKey : Reflect.get(started, name)) as unknown,
});

/** Begins anew, in the state that the file's service starts from, changed by `state`, with a key that nothing was learned of. */
export async function begin(state: SandboxState = {}): Promise<void> {
	apiKey = `secret-key-${++keys}`;
	await started.reset({ apiKeys: [apiKey], ...state });
}

/** Starts a service without a limit for the tests of a file, begins anew before each, and stops it after the last. */
export function openService(options: SandboxOptions = {}): void {
	beforeAll(async () => {
		started = await startSandbox({ limit: { requests: null }, ...options });
	});

	beforeEach(async () => await begin());

	afterAll(async () => await started.stop());
}

/** What the user entered in the credential for it. */
export const credential = (more: Partial<host.Credential> = {}): host.Credential => ({
	baseUrl: sandbox.url,
	apiKey,
	...more,
});

/** Runs the node there. */
export async function run(parameters: IDataObject, setting: Partial<host.Setting> = {}): Promise<host.Outcome> {
	return await host.run(parameters, { credential: credential(), ...setting });
}

/** Runs the node there and gives the JSON of its items. @throws what the node threw */
export async function itemsOf(parameters: IDataObject, setting: Partial<host.Setting> = {}): Promise<IDataObject[]> {
	return await host.itemsOf(parameters, { credential: credential(), ...setting });
}

/** Bodies of the requests that it got, in their order. */
export async function bodies(): Promise<IDataObject[]> {
	return (await sandbox.requests()).map(({ body }) => body as IDataObject);
}

export const getAccount = { resource: 'account', operation: 'get' };

/** Creates a link of each row's columns. */
export const createLink = {
	resource: 'link',
	operation: 'create',
	url: '={{ $json.url }}',
	linkFields: { custom: '={{ $json.alias }}' },
};

/** Rows of a sheet, each with an address and an alias of its own. */
export function rowsOf(count: number, more: IDataObject = {}): Array<IDataObject & { alias: string; url: string }> {
	return Array.from({ length: count }, (_, at) => ({ alias: `row-${at}`, url: `https://example.com/${at}`, ...more }));
}
