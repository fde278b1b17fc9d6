import { readFileSync } from 'fs';
import { join } from 'path';
import { Registry } from '../../tools/registry';
import { type Sandbox, startSandbox } from '../sandbox';
import { type N8n, NODE_TYPE, startN8n, TRIGGER_TYPE, workflowOf } from './host';
import { PACKAGE_NAME, PROJECT } from './host/installation';

/** A community package as n8n lists it. */
interface InstalledPackage {
	packageName: string;
	installedVersion: string;
	installedNodes: Array<{ name: string; type: string }>;
	updateAvailable?: string;
	failedLoading?: boolean;
}

const VERSION = (JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { version: string }).version;
const NEXT_VERSION = '99.0.0';
const PATH = '/rest/community-packages';

let registry: Registry;
let sandbox: Sandbox;
let n8n: N8n;

beforeAll(async () => {
	registry = await Registry.start();
	await registry.publish();
	sandbox = await startSandbox({ limit: { requests: null } });
	n8n = await startN8n({ package: false, env: registry.env });
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
	await registry?.stop();
});

async function installed(): Promise<InstalledPackage[]> {
	return await n8n.rest('GET', PATH);
}

async function ourNodes(of = n8n): Promise<string[]> {
	return [...(await of.nodeTypes()).keys()].filter((name) => name.startsWith(`${PACKAGE_NAME}.`)).sort();
}

// Each step builds on the one before, as it does for a user.
describe("the package in n8n's own installation of community nodes", () => {
	let workflowId: string;

	async function runSavedWorkflow(): Promise<void> {
		const execution = await n8n.run(workflowId);
		expect(execution.error).toBeUndefined();
		expect(execution.json('Link Management')).toEqual([
			expect.objectContaining({ email: expect.stringContaining('@') }),
		]);
	}

	it('is installed by its name from the registry', async () => {
		expect(await ourNodes()).toEqual([]);
		const { installedVersion, installedNodes } = await n8n.rest<InstalledPackage>('POST', PATH, { name: PACKAGE_NAME });
		expect(installedVersion).toBe(VERSION);
		expect(installedNodes.map(({ name }) => name).sort()).toEqual(['Link Management', 'Link Management Trigger']);
		expect(await ourNodes()).toEqual([NODE_TYPE, `${NODE_TYPE}Tool`, TRIGGER_TYPE].sort());
	});

	it('works right away', async () => {
		await n8n.createCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
		workflowId = await n8n.createWorkflow(workflowOf({ resource: 'account', operation: 'get' }));
		await runSavedWorkflow();
	});

	it('is offered its next version, and a saved workflow goes on working with it', async () => {
		expect(await installed()).toEqual([expect.not.objectContaining({ updateAvailable: expect.anything() })]);
		await registry.publish(NEXT_VERSION);
		expect(await installed()).toEqual([
			expect.objectContaining({ packageName: PACKAGE_NAME, updateAvailable: NEXT_VERSION }),
		]);
		const { installedVersion } = await n8n.rest<InstalledPackage>('PATCH', PATH, { name: PACKAGE_NAME });
		expect(installedVersion).toBe(NEXT_VERSION);
		expect((await n8n.nodeTypes()).get(NODE_TYPE)).toMatchObject({ communityNodePackageVersion: NEXT_VERSION });
		await runSavedWorkflow();
	});

	it('is there after a restart', async () => {
		await n8n.restart();
		expect(await installed()).toEqual([
			expect.objectContaining({ installedVersion: NEXT_VERSION, failedLoading: false }),
		]);
		await runSavedWorkflow();
	});

	it('leaves nothing behind when it is removed, and the workflow says what it lacks', async () => {
		await n8n.rest('DELETE', PATH, undefined, { name: PACKAGE_NAME });
		expect(await installed()).toEqual([]);
		expect(await ourNodes()).toEqual([]);
		await expect(n8n.run(workflowId)).rejects.toThrow(/not (known|installed|recognized)|unrecognized/i);
	});

	it('finds its workflow again when it is installed once more', async () => {
		await n8n.rest<InstalledPackage>('POST', PATH, { name: PACKAGE_NAME, version: VERSION });
		await runSavedWorkflow();
	});
});

/** Does something in an n8n of its own, which reaches the registry too. */
async function inOtherN8n(env: Record<string, string>, work: (other: N8n) => Promise<void>): Promise<void> {
	const other = await startN8n({ package: false, env: { ...registry.env, ...env } });
	try {
		await work(other);
	} finally {
		await other.stop();
	}
}

it('is not installed by an n8n that was told another checksum than the registry gives', async () => {
	const env = {
		N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
		N8N_COMMUNITY_PACKAGES: JSON.stringify([{ name: PACKAGE_NAME, version: VERSION, checksum: 'sha512-other' }]),
	};
	await inOtherN8n(env, async (other) => {
		expect(other.process.logs).toMatch(/Failed to install community package.*n8n-nodes-link-management.*checksum/);
		expect(await ourNodes(other)).toEqual([]);
	});
});

it('is refused, and the editor told so, where unverified packages are switched off, as n8n 3 has them by itself', async () => {
	await inOtherN8n({ N8N_UNVERIFIED_PACKAGES_ENABLED: 'false' }, async (other) => {
		await expect(other.rest('POST', PATH, { name: PACKAGE_NAME })).rejects.toThrow(
			/Installation of unverified community packages is forbidden/,
		);
		const settings = await other.rest('GET', '/rest/module-settings');
		expect(JSON.stringify(settings)).toContain('"unverifiedCommunityNodesEnabled":false');
	});
});
