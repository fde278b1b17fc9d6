/** Every command that a page names is one of the project's, takes the arguments that stand there, and is run by the checks. */
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
	const [, main] = /^node --import tsx (\S+)$/.exec(stepsOf(command)[0]) ?? [];
	for (const arg of args) {
		if (arg.startsWith('test/')) expect([arg, existsSync(join(PROJECT, arg))]).toEqual([arg, true]);
		if (!arg.startsWith('--')) continue;
		const option = new RegExp(`^\\t+'?${arg.slice(2)}'?: \\{ type: '`, 'm');
		expect(readFileSync(join(PROJECT, main), 'utf8')).toMatch(option);
	}
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
