/** Every command that a page names is one of the project's, takes the arguments that stand there, and is run by the checks. */
import { execFileSync } from 'child_process';
import { existsSync, readFileSync } from 'fs';
import { join } from 'path';

import { callOf, ciCommands, commandsOn, isDoneBy, SCRIPTS, stepsOf, stepsOfTests } from './commands';
import { PAGES, page, PROJECT } from './markdown';

const named = [...new Set(PAGES.flatMap(commandsOn))];

test('the pages name commands, and .ci/run checks some', () => {
	expect(PAGES).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/proof/verification.md']));
	expect(named).toEqual(expect.arrayContaining(['npm test', 'npm run demo', 'npm run demo -- --once']));
	expect(ciCommands()).toEqual(expect.arrayContaining(['npm test', 'npm run lint', 'npm run demo -- --once']));
});

test.each(named)('%s is a command of the project', (command) => {
	expect(callOf(command)).toBeDefined();
});

test.each(ciCommands())('%s, in .ci/run, is a command of the project', (command) => {
	expect(callOf(command)).toBeDefined();
});

/** One needs a registry that offers advisories, which not every machine reaches, one takes hours: workflows run them. */
const BY_WORKFLOW: Record<string, string> = {
	'npm run audit': 'audit.yml',
	'npm run test:any-service': 'any-service.yml',
};

test.each(Object.entries(BY_WORKFLOW))('%s is run by %s', (command, workflow) => {
	expect(readFileSync(join(PROJECT, '.github', 'workflows', workflow), 'utf8')).toMatch(
		new RegExp(`run: ${command}$`, 'm'),
	);
});

test.each(named.filter((command) => !(command in BY_WORKFLOW)))('%s is run by .ci/run or a test', (command) => {
	const done = [...ciCommands().flatMap(stepsOf), ...stepsOfTests()];
	expect(stepsOf(command).filter((step) => !isDoneBy(step, done))).toEqual([]);
});

test.each(named.filter((command) => command.includes(' -- ')))('%s takes these arguments', (command) => {
	const { args } = callOf(command)!;
	const [step] = stepsOf(command);
	if (step.startsWith('jest')) {
		for (const path of args) expect([path, existsSync(join(PROJECT, path))]).toEqual([path, true]);
		return;
	}
	const [, file] = /^node --import tsx (\S+)$/.exec(step) ?? [];
	expect(file).toBeDefined();
	const help = execFileSync(process.execPath, ['--import', 'tsx', file, '--help'], {
		cwd: PROJECT,
		encoding: 'utf8',
	});
	for (const arg of args) expect(help).toMatch(new RegExp(`(^|[^\\w-])${arg}([^\\w-]|$)`));
});

test.each(Object.entries(SCRIPTS))('npm run %s installs what it lacks', (_script, commands) => {
	// A script that runs another one leaves it to that.
	expect(commands).toMatch(/^(?:[A-Z_]+=\S+ )?(?:node tools\/run\.mjs |npm run )/);
});

test('CONTRIBUTING.md names each of the scripts', () => {
	const text = page('CONTRIBUTING.md');
	expect(
		Object.keys(SCRIPTS).filter((script) => !text.includes(script === 'test' ? '`npm test`' : `npm run ${script}`)),
	).toEqual([]);
});
