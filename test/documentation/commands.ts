/** The project's commands: what package.json's scripts do, what `.ci/run` and the workflows run, and what the pages tell people to run. */
import { existsSync, readdirSync, readFileSync } from 'fs';
import { dirname, join, relative } from 'path';

import { blocksOf, page, PROJECT, proseOf } from './markdown';

export const SCRIPTS = (
	JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
).scripts;

/** A call of one of package.json's scripts. */
export interface Call {
	script: string;
	args: string[];
}

/**
 * Reads `npm run name -- args` or `npm test`.
 *
 * @returns undefined when it is another command, or the script is none of package.json's
 */
export function callOf(command: string): Call | undefined {
	const [, named, test, args = ''] = /^npm (?:run ([\w:-]+)|(test))(?: -- (.+))?$/.exec(command.trim()) ?? [];
	const script = named ?? test;
	return script in SCRIPTS ? { script, args: args.split(/\s+/).filter(Boolean) } : undefined;
}

/** Without what only prepares a command, or changes what it writes. */
function bare(command: string): string {
	return command
		.trim()
		.replace(/^(?:[A-Z_]+=\S+ )+/, '')
		.replace(/^node tools\/run\.mjs /, '')
		.replace(/^(?=\S+\.ts\b)/, 'node --import tsx ');
}

/** What a command comes down to: programs that are no scripts of package.json, with those arguments that the scripts give. */
export function stepsOf(command: string): string[] {
	const call = callOf(command);
	if (call === undefined) return [command];
	return SCRIPTS[call.script].split('&&').map(bare).flatMap(stepsOf);
}

/** The commands that `.ci/run` checks. */
export function ciCommands(): string[] {
	const lines = readFileSync(join(PROJECT, '.ci', 'run'), 'utf8').matchAll(/^\t?check '[^']+' (npm .+)$/gm);
	return [...lines].map(([, command]) => command);
}

/** The commands that a page tells people to run: those of its shell blocks, and those in its text. */
export function commandsOn(path: string): string[] {
	const markdown = page(path);
	const shell = blocksOf(markdown).filter(({ language }) => ['sh', 'bash', 'shell', 'console'].includes(language));
	const inText = [...proseOf(markdown).matchAll(/`((?:npm|npx|node|git|docker) [^`]+)`/g)].map(
		([, command]) => command,
	);
	return [
		...shell.flatMap(({ text }) =>
			text
				.split('\n')
				.map((line) => line.trim())
				.filter(Boolean),
		),
		...inText,
	];
}

function testFiles(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile() && /\.ts$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
		.map(({ parentPath, name }) => join(parentPath, name));
}

/** What the tests start in a process of its own, as steps: `npm run …` and the main files of commands. */
export function stepsOfTests(): string[] {
	const files = testFiles(join(PROJECT, 'test')).filter(
		(file) => !file.startsWith(join(PROJECT, 'test', 'documentation')),
	);
	const steps: string[] = [];
	for (const file of files) {
		const text = readFileSync(file, 'utf8');
		for (const [, script] of text.matchAll(/'npm', \['run', '([\w:]+)'/g)) steps.push(...stepsOf(`npm run ${script}`));
		// A command's main file, by its path below the project's folder or below the test's own.
		const mains = [
			...[...text.matchAll(/'([\w/]+\/main\.ts)'/g)].map(([, path]) => path),
			...[...text.matchAll(/join\(__dirname((?:, '[\w.]+')*), 'main\.ts'\)/g)].map(([, folders]) =>
				relative(PROJECT, join(dirname(file), ...folders.split(/[, ']+/), 'main.ts')),
			),
		];
		steps.push(...mains.map((main) => `node --import tsx ${main}`));
	}
	return steps;
}

/** Whether a step is done when these are: `jest some/path` is part of `jest`. */
export function isDoneBy(step: string, done: string[]): boolean {
	return (
		done.includes(step) ||
		(step.startsWith('jest test/') &&
			done.includes('jest') &&
			existsSync(join(PROJECT, step.split(' ')[1].split('/').slice(0, 2).join('/'))))
	);
}
