import { spawnSync } from 'child_process';
import { mkdtempSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { parse } from 'yaml';
import { NODE_TYPE, TRIGGER_TYPE } from './host';
import { packPackage, PROJECT } from './host/installation';
import { sharedN8n } from './host/shared';

interface Workflow {
	jobs: Record<string, { steps: Array<{ name?: string; run: string }> }>;
}

const n8n = sharedN8n();

describe('the package in n8n', () => {
	it('has icons that n8n serves, for light and dark', async () => {
		const types = await n8n.nodeTypes();
		for (const type of [NODE_TYPE, TRIGGER_TYPE]) {
			const iconUrl = types.get(type)?.iconUrl;
			expect(iconUrl).toEqual({ light: expect.any(String), dark: expect.any(String) });
			for (const path of Object.values(iconUrl as Record<string, string>))
				expect(await n8n.fetchText(path)).toContain('<svg');
		}
	});

	it("is found by the workflow that looks for it in n8n's next image", () => {
		const workflow = parse(readFileSync(join(PROJECT, '.github', 'workflows', 'next-n8n.yml'), 'utf8')) as Workflow;
		const step = workflow.jobs.loads.steps.find(({ name }) => name === 'n8n has the nodes')!;
		const cwd = mkdtempSync(join(tmpdir(), 'link-management-next-'));
		try {
			const { email: EMAIL, password: PASSWORD } = n8n.owner;
			const look = (env: Record<string, string>) =>
				spawnSync('bash', ['-e', '-o', 'pipefail', '-c', step.run], {
					cwd,
					env: { ...process.env, URL: n8n.url, EMAIL, PASSWORD, ...env },
					encoding: 'utf8',
				});
			expect(look({})).toMatchObject({ status: 0, stdout: expect.stringMatching(/^[1-9]/) });
			rmSync(join(cwd, 'cookies'));
			expect(look({ PASSWORD: 'another' }).status).not.toBe(0);
		} finally {
			rmSync(cwd, { recursive: true });
		}
	});

	it('is loaded without a warning', () => {
		// What other tests of this n8n make it complain of comes later.
		const [loading, ...later] = n8n.logs.split('Editor is now accessible');
		expect(later.length).toBeGreaterThan(0);
		// The folder that n8n itself is installed in has the package's name too.
		const lines = loading
			.split('\n')
			.filter((line) =>
				/node_modules\/n8n-nodes-link-management|["' ]n8n-nodes-link-management|linkManagement/i.test(line),
			);
		expect(lines.filter((line) => /warn|error|fail|deprecat|missing|cannot/i.test(line))).toEqual([]);
	});
});

test('what npm packs here is what the release check lets pass', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'link-management-release-'));
	try {
		const { stderr } = spawnSync(
			process.execPath,
			['--import', 'tsx', 'tools/release/main.ts', 'v0.0.0', await packPackage(folder)],
			{ cwd: PROJECT, encoding: 'utf8' },
		);
		expect(stderr).toContain('The tag is v0.0.0');
		expect(stderr).not.toMatch(/tarball|own code/);
	} finally {
		rmSync(folder, { recursive: true });
	}
});
