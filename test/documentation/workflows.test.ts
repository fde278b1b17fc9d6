/** The workflows for GitHub do what `.ci/run` does, with no more rights than that takes. */
import { execFileSync } from 'child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { parse } from 'yaml';

import { callOf } from './commands';
import { composeServices } from '../queue/compose';
import { PROJECT } from './markdown';

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
}

interface Job {
	steps?: Step[];
	uses?: string;
	needs?: string | string[];
	environment?: string;
	services?: Record<string, { image: string }>;
	permissions?: Record<string, string>;
	strategy?: { matrix: { node?: number[]; lane?: string[] } };
}

interface Workflow {
	on: Record<string, { tags?: string[] } | null>;
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

/** The commands of a workflow. */
function commandsOf(file: string): string[] {
	return Object.values(workflow(file).jobs).flatMap(({ steps = [] }) =>
		steps.flatMap(({ run = '' }) => run.split('\n').filter(Boolean)),
	);
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

test.each(
	files.flatMap((file) =>
		commandsOf(file)
			.filter((command) => command.startsWith('npm run'))
			.map((command) => [file, command]),
	),
)('%s: %s is a command of the project', (_file, command) => {
	expect(callOf(command)).toBeDefined();
});

test('CI calls each lane of .ci/run, which has the only list of checks', () => {
	const script = readFileSync(join(PROJECT, '.ci', 'run'), 'utf8');
	const lanes = [...script.matchAll(/^\tbeside (.+)$/gm)].flatMap(([, names]) => names.split(' '));
	const { strategy, steps = [] } = workflow('ci.yml').jobs.checks;
	expect(strategy?.matrix.lane).toEqual(lanes.filter((lane) => /^\w+$/.test(lane)));
	expect(steps.flatMap(({ run }) => run ?? [])).toEqual(['.ci/run ${{ matrix.lane }}']);
	for (const lane of strategy?.matrix.lane ?? []) expect(script).toMatch(new RegExp(`^${lane}\\(\\) \\{$`, 'm'));
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

test('what may prove who it is runs nothing that came from elsewhere: a tarball, its checksum, and npm publish', () => {
	const { attest, publish } = workflow('publish.yml').jobs;
	const doneBy = ({ steps = [] }: Job) => steps.map(({ uses, run }) => uses?.replace(/@.*/, '') ?? run);
	const checked = ['actions/download-artifact', expect.stringMatching(/sha256sum --check --strict$/)];
	expect(doneBy(attest)).toEqual([...checked, 'actions/attest-build-provenance']);
	expect(doneBy(publish)).toEqual([
		...checked,
		'actions/setup-node',
		'npm publish ./*.tgz --ignore-scripts --access public --provenance',
	]);
	// setup-node would restore what another run left.
	expect(publish.steps?.[2].with).toMatchObject({ 'package-manager-cache': false });
	expect(publish.environment).toBe('npm');
});

test('a tag publishes, after all checks, what the release check lets pass', () => {
	const { on, jobs } = workflow('publish.yml');
	expect(on).toEqual({ push: { tags: ['v*'] } });
	expect(jobs.checks.uses).toBe('./.github/workflows/ci.yml');
	expect(workflow('ci.yml').on).toHaveProperty('workflow_call');
	expect([jobs.pack.needs, jobs.attest.needs, jobs.publish.needs]).toEqual(['checks', 'pack', ['pack', 'attest']]);
	const commands = (jobs.pack.steps ?? []).flatMap(({ run }) => run ?? []);
	expect(commands).toEqual([
		expect.stringMatching(/^npm ci .*--ignore-scripts$/),
		'npm run build',
		expect.stringMatching(/^npm pack --ignore-scripts\n.*sha256sum/),
		'npm run release:check -- "$GITHUB_REF_NAME" ./*.tgz',
	]);
});

test("the queue's tests take the images of the compose file", () => {
	const { postgres, redis } = composeServices({
		N8N_ENCRYPTION_KEY: 'a key',
		POSTGRES_PASSWORD: 'a password',
		LINK_MANAGEMENT_CHECKSUM: 'sha512-any',
	});
	const { services } = workflow('ci.yml').jobs.checks;
	expect([services?.postgres.image, services?.redis.image]).toEqual([postgres.image, redis.image]);
});

test('the fast checks run on each Node that n8n versions run on, from the oldest that package.json allows', () => {
	const { engines } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { engines: { node: string } };
	const nodes = workflow('ci.yml').jobs.fast.strategy?.matrix.node;
	expect(nodes).toEqual([20, 22, 24]);
	expect(engines.node.startsWith(`>=${nodes?.[0]}`)).toBe(true);
});

test('updates are asked for wherever there is a lock file, and for the actions, in groups', () => {
	const { version, updates } = parse(readFileSync(join(PROJECT, '.github', 'dependabot.yml'), 'utf8')) as {
		version: number;
		updates: Array<{
			'package-ecosystem': string;
			directory: string;
			groups: Record<string, { patterns: string[] }>;
			schedule: { interval: string };
		}>;
	};
	const locks = execFileSync('git', ['ls-files', '--', '*package-lock.json', 'package-lock.json'], {
		cwd: PROJECT,
		encoding: 'utf8',
	})
		.trim()
		.split('\n');
	const folders = [...new Set(locks)].map((path) => `/${path.replace(/\/?package-lock\.json$/, '')}`);
	expect(version).toBe(2);
	expect(
		updates
			.filter((entry) => entry['package-ecosystem'] === 'npm')
			.map(({ directory }) => directory)
			.sort(),
	).toEqual(folders.sort());
	expect(
		updates.filter((entry) => entry['package-ecosystem'] === 'github-actions').map(({ directory }) => directory),
	).toEqual(['/']);
	for (const { groups, schedule } of updates) {
		expect(Object.values(groups).flatMap(({ patterns }) => patterns)).toEqual(['*']);
		expect(schedule.interval).toBe('weekly');
	}
});
