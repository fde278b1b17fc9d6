/** What n8n 3 changes, as far as today's n8n can show it: its own report on workflows, and unverified packages switched off. */
import { Registry } from '../../tools/registry';
import { Example, EXAMPLE_FILES } from './example';
import { type N8n, startN8n } from './host';
import { PACKAGE_NAME } from './host/installation';
import { sharedN8n } from './host/shared';

/** n8n's report on what its next major version changes for this instance. */
interface BreakingChanges {
	report: {
		instanceResults: Array<{ ruleId: string }>;
		workflowResults: Array<{ ruleId: string; nbAffectedWorkflows: number }>;
	};
}

it("finds nothing to change in the workflows to import, by n8n's own report", async () => {
	const n8n = await sharedN8n();
	const affected = async () => {
		const { report } = await n8n.rest<BreakingChanges>('POST', '/rest/breaking-changes/report/refresh', undefined, {
			version: 'v3',
		});
		return Object.fromEntries(
			report.workflowResults.map(({ ruleId, nbAffectedWorkflows }) => [ruleId, nbAffectedWorkflows]),
		);
	};
	const before = await affected();
	const ids: string[] = [];
	for (const file of EXAMPLE_FILES) ids.push(await n8n.createWorkflow(new Example(file).workflow));
	expect(await affected()).toEqual(before);
	// The report does look at workflows: this one uses what n8n 3 removes.
	const old = await n8n.createWorkflow({
		nodes: [{ name: 'Cron', type: 'n8n-nodes-base.cron', parameters: {} }],
		connections: {},
	});
	expect(await affected()).not.toEqual(before);
	for (const id of [...ids, old]) await n8n.deleteWorkflow(id);
});

describe('unverified packages switched off, as n8n 3 has them by itself', () => {
	let registry: Registry;
	let n8n: N8n;

	beforeAll(async () => {
		registry = await Registry.start();
		await registry.publish();
		n8n = await startN8n({
			package: false,
			env: { ...registry.env, N8N_UNVERIFIED_PACKAGES_ENABLED: 'false' },
		});
	});

	afterAll(async () => {
		await n8n?.stop();
		await registry?.stop();
	});

	it('refuses the installation, and says why', async () => {
		await expect(n8n.rest('POST', '/rest/community-packages', { name: PACKAGE_NAME })).rejects.toThrow(
			/Installation of unverified community packages is forbidden/,
		);
	});

	it('tells the editor, which then offers verified packages alone', async () => {
		const settings = await n8n.rest<{ unverifiedCommunityNodesEnabled?: boolean }>('GET', '/rest/module-settings');
		expect(JSON.stringify(settings)).toContain('"unverifiedCommunityNodesEnabled":false');
	});
});
