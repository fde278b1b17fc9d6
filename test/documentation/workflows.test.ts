/** The workflows for GitHub do what `.ci/run` does, with no more rights than that takes. */
import { execFileSync } from 'child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { parse } from 'yaml';

import { callOf, ciCommands, stepsOf } from './commands';
import { PROJECT } from './markdown';

interface Step {
	uses?: string;
	run?: string;
}

interface Job {
	steps?: Step[];
	uses?: string;
	needs?: string;
	permissions?: Record<string, string>;
	strategy?: { matrix: { node?: number[]; include?: Array<{ command: string }> } };
}

interface Workflow {
	on: Record<string, { tags?: string[] } | null>;
	permissions: Record<string, string>;
	jobs: Record<string, Job>;
}

const FOLDER = join(PROJECT, '.github', 'workflows');
const files = readdirSync(FOLDER);

function problemsOf(...paths: string[]): string[] {
	return JSON.parse(execFileSync(process.execPath, ['--import', 'tsx', join(__dirname, 'workflowProblems.mjs'), ...paths], { encoding: 'utf8' })) as string[];
}

function textOf(file: string): string {
	return readFileSync(join(FOLDER, file), 'utf8');
}

function workflow(file: string): Workflow {
	return parse(textOf(file)) as Workflow;
}

/** The commands of a workflow, those of a matrix written out. */
function commandsOf(file: string): string[] {
	return Object.values(workflow(file).jobs).flatMap(({ steps = [], strategy }) =>
		steps.flatMap(({ run = '' }) =>
			run === '${{ matrix.command }}' ? (strategy?.matrix.include ?? []).map(({ command }) => command) : run.split('\n').filter(Boolean),
		),
	);
}

test("GitHub's parser takes them", () => {
	expect(files.sort()).toEqual(['audit.yml', 'ci.yml', 'publish.yml']);
	expect(problemsOf(...files.map((file) => join(FOLDER, file)))).toEqual([]);
});

test.each([
	['a key that there is not', (text: string) => text.replace('runs-on:', 'run-on:')],
	['a context that there is not', (text: string) => text.replace('${{ matrix.node }}', '${{ matricks.node }}')],
	['a job that there is not', (text: string) => text.replace('needs: checks', 'needs: check')],
])("GitHub's parser would find %s", (_what, spoil) => {
	const folder = mkdtempSync(join(tmpdir(), 'link-management-workflows-'));
	try {
		const spoilt = files.filter((file) => spoil(textOf(file)) !== textOf(file));
		expect(spoilt).not.toEqual([]);
		for (const file of spoilt) {
			writeFileSync(join(folder, file), spoil(textOf(file)));
			expect(problemsOf(join(folder, file))).not.toEqual([]);
		}
	} finally {
		rmSync(folder, { recursive: true });
	}
});

test.each(files.flatMap((file) => commandsOf(file).filter((command) => command.startsWith('npm run')).map((command) => [file, command])))(
	'%s: %s is a command of the project',
	(_file, command) => {
		expect(callOf(command)).toBeDefined();
	},
);

test('CI runs what .ci/run runs, and no more', () => {
	const steps = (commands: string[]) => new Set(commands.filter((command) => callOf(command) !== undefined).flatMap(stepsOf));
	const here = steps(ciCommands());
	const there = steps(commandsOf('ci.yml'));
	expect([...here].filter((step) => !there.has(step))).toEqual([]);
	// There the build is a step of its own, here the tests build when they need it.
	expect([...there].filter((step) => !here.has(step)).sort()).toEqual([...steps(['npm run build'])].sort());
});

test('the fast checks run on each Node that n8n versions run on, from the oldest that package.json allows', () => {
	const { engines } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { engines: { node: string } };
	const nodes = workflow('ci.yml').jobs.fast.strategy?.matrix.node;
	expect(nodes).toEqual([20, 22, 24]);
	expect(engines.node.startsWith(`>=${nodes?.[0]}`)).toBe(true);
});

test.each(files)('%s: actions are pinned to a commit, with the version beside it', (file) => {
	const used = [...textOf(file).matchAll(/uses: (\S+)(.*)$/gm)];
	expect(used).not.toEqual([]);
	for (const [, action, comment] of used) {
		if (action.startsWith('./')) expect(existsSync(join(PROJECT, action))).toBe(true);
		else expect([action, comment]).toEqual([expect.stringMatching(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/), expect.stringMatching(/^ # v\d+\.\d+\.\d+$/)]);
	}
});

test('no job may do more than read the code, but for the one that publishes, which proves who it is', () => {
	for (const file of files) {
		expect(workflow(file).permissions).toEqual({ contents: 'read' });
		for (const [name, { permissions }] of Object.entries(workflow(file).jobs)) {
			const expected = file === 'publish.yml' && name === 'publish' ? { contents: 'read', 'id-token': 'write' } : undefined;
			expect([file, name, permissions]).toEqual([file, name, expected]);
		}
		expect(textOf(file)).not.toMatch(/secrets\.|pull_request_target/);
	}
});

test('a tag publishes, after all checks, what the release check lets pass', () => {
	const { on, jobs } = workflow('publish.yml');
	expect(on).toEqual({ push: { tags: ['v*'] } });
	expect(jobs.checks.uses).toBe('./.github/workflows/ci.yml');
	expect(workflow('ci.yml').on).toHaveProperty('workflow_call');
	expect(jobs.publish.needs).toBe('checks');
	const commands = (jobs.publish.steps ?? []).flatMap(({ run }) => run ?? []);
	expect(commands.slice(1)).toEqual(['npm run release:check -- "$GITHUB_REF_NAME"', 'npm run build', expect.stringMatching(/^npm publish\b/)]);
});

test('updates are asked for wherever there is a lock file, and for the actions, in groups', () => {
	const { version, updates } = parse(readFileSync(join(PROJECT, '.github', 'dependabot.yml'), 'utf8')) as {
		version: number;
		updates: Array<{ 'package-ecosystem': string; directory: string; groups: Record<string, { patterns: string[] }>; schedule: { interval: string } }>;
	};
	const locks = execFileSync('git', ['ls-files', '--', '*package-lock.json', 'package-lock.json'], { cwd: PROJECT, encoding: 'utf8' }).trim().split('\n');
	const folders = [...new Set(locks)].map((path) => `/${path.replace(/\/?package-lock\.json$/, '')}`);
	expect(version).toBe(2);
	expect(updates.filter((entry) => entry['package-ecosystem'] === 'npm').map(({ directory }) => directory).sort()).toEqual(folders.sort());
	expect(updates.filter((entry) => entry['package-ecosystem'] === 'github-actions').map(({ directory }) => directory)).toEqual(['/']);
	for (const { groups, schedule } of updates) {
		expect(Object.values(groups).flatMap(({ patterns }) => patterns)).toEqual(['*']);
		expect(schedule.interval).toBe('weekly');
	}
});
