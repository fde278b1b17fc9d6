/** The trigger of a test, at a service of its own. */
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Dialect, type Sandbox } from '../sandbox';
import { TriggerHost, type TriggerSetting } from './pollHost';

export let sandbox: Sandbox;

let dialect: Dialect = 'document';

/** What the services of these tests speak. */
export function speaking(spoken: Dialect): void {
	const before = dialect;
	beforeAll(() => (dialect = spoken));
	afterAll(() => (dialect = before));
}

// Each test has a service of its own: the node remembers of each which page sizes work.
beforeEach(async () => {
	sandbox = await startSandbox({ dialect, records: { links: 20, qrs: 10 }, limit: { requests: null } });
});

afterEach(async () => {
	jest.restoreAllMocks();
	const violations = await sandbox.violations();
	await sandbox.stop();
	expect(violations).toEqual([]);
});

export function trigger(parameters: IDataObject, setting: Partial<TriggerSetting> = {}): TriggerHost {
	return new TriggerHost({ credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey }, parameters, ...setting });
}

export async function active(parameters: IDataObject, setting: Partial<TriggerSetting> = {}): Promise<TriggerHost> {
	const host = trigger(parameters, setting);
	await host.activate();
	await sandbox.clearRequests();
	return host;
}

export async function requests(): Promise<string[]> {
	const log = await sandbox.requests();
	await sandbox.clearRequests();
	return log.map(({ method, path }) => `${method} ${path}`);
}

export const newLink = async (fields: IDataObject = {}) => (await sandbox.createRecords({ links: [fields] })).links[0];
export const newQr = async (fields: IDataObject = {}) => (await sandbox.createRecords({ qrs: [fields] })).qrs[0];

export const scan = async (id: number, count: number) => await sandbox.simulate({ scans: [{ id, count }] });

/** A new QR code whose scans are watched, and which was then scanned so often. */
export async function scannedQr(count: number, setting: Partial<TriggerSetting> = {}) {
	const { id } = await newQr();
	const host = await active({ event: 'qrCodeScanned' }, setting);
	await scan(id, count);
	return { id, host };
}

/** Their IDs, sorted. */
export function idsIn(records: Array<{ id?: unknown }>): unknown[] {
	return records.map(({ id }) => id).sort();
}
