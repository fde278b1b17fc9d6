/** The workflows for GitHub do what `.ci/run` does, with no more rights than that takes. */
import { execFileSync } from 'child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { parse } from 'yaml';

import { PROJECT } from './markdown';

interface Job {
	permissions?: Record<string, string>;
	strategy?: { matrix: { lane?: string[] } };
}

interface Workflow {
	permissions: Record<string, string>;
	jobs: Record<string, Job>;
}

const FOLDER = join(PROJECT, '.github', 'workflows');
const files = readdirSync(FOLDER);

/** What GitHub's parser finds wrong with each of these files. */
function problemsOf(paths: string[]): string[][] {
	const args = ['--import', 'tsx', join(__dirname, 'workflowProblems.mjs'), ...paths];
	return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as string[][];
}

function textOf(file: string): string {
	return readFileSync(join(FOLDER, file), 'utf8');
}

function workflow(file: string): Workflow {
	return parse(textOf(file)) as Workflow;
}

test("GitHub's parser takes them, and would find a key, a context and a job that there is not", () => {
	const folder = mkdtempSync(join(tmpdir(), 'link-management-workflows-'));
	try {
		const wrong = [
			['runs-on:', 'run-on:'],
			['${{ matrix.node }}', '${{ matricks.node }}'],
			['needs: pack\n', 'needs: package\n'],
		].map(([right, spoilt], at) => {
			const text = files.map(textOf).find((one) => one.includes(right))!;
			const path = join(folder, `${at}.yml`);
			writeFileSync(path, text.replace(right, spoilt));
			return path;
		});
		const problems = problemsOf([...files.map((file) => join(FOLDER, file)), ...wrong]);
		expect(problems.map((found) => found.length > 0)).toEqual([...files.map(() => false), ...wrong.map(() => true)]);
	} finally {
		rmSync(folder, { recursive: true });
	}
});

test('CI calls each lane of .ci/run, which has the only list of checks', () => {
	const lanes = workflow('ci.yml').jobs.checks.strategy?.matrix.lane ?? [];
	const script = readFileSync(join(PROJECT, '.ci', 'run'), 'utf8');
	expect([...script.matchAll(/^\tbeside (\w+)$/gm)].map(([, lane]) => lane)).toEqual(lanes);
});

test.each(files)('%s: actions are pinned to a commit, with the version beside it', (file) => {
	const used = [...textOf(file).matchAll(/uses: (\S+)(.*)$/gm)];
	expect(used).not.toEqual([]);
	for (const [, action, comment] of used) {
		if (action.startsWith('./')) expect(existsSync(join(PROJECT, action))).toBe(true);
		else
			expect([action, comment]).toEqual([
				expect.stringMatching(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/),
				expect.stringMatching(/^ # v\d+\.\d+\.\d+$/),
			]);
	}
});

/** What jobs may do beyond reading the code. */
const PERMISSIONS: Record<string, Record<string, string>> = {
	'publish.yml attest': { 'id-token': 'write', attestations: 'write' },
	'publish.yml publish': { 'id-token': 'write' },
};

test('no job may do more than read the code, but for those that prove what was built, and who publishes it', () => {
	for (const file of files) {
		expect(workflow(file).permissions).toEqual({ contents: 'read' });
		for (const [name, { permissions }] of Object.entries(workflow(file).jobs)) {
			expect([file, name, permissions]).toEqual([file, name, PERMISSIONS[`${file} ${name}`]]);
		}
		expect(textOf(file)).not.toMatch(/secrets\.|pull_request_target/);
	}
});
