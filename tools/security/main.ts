/**
 * `npm run test:security`: runs the tests that docs/adversarial.md names, and says for each attack how it went. Those that take a
 * real n8n are left to `npm run test:n8n`.
 */
import { spawnSync } from 'child_process';
import { mkdtempSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';

import { attacks, type Attack } from './attacks';

const PROJECT = join(__dirname, '..', '..');

interface Report {
	testResults: Array<{ name: string; assertionResults: Array<{ fullName: string; status: string }> }>;
}

/** Runs these tests alone, and gives jest's report. */
function run(named: Attack[]): Report {
	const folder = mkdtempSync(join(tmpdir(), 'link-management-security-'));
	try {
		const output = join(folder, 'report.json');
		const names = named.map(({ test }) => test.split('%s')[0].replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
		const files = [...new Set(named.map(({ file }) => file))];
		const jest = join(PROJECT, 'node_modules', 'jest', 'bin', 'jest.js');
		spawnSync(
			process.execPath,
			[jest, '--json', '--outputFile', output, '--testNamePattern', names.join('|'), '--runTestsByPath', ...files],
			{ cwd: PROJECT, stdio: ['ignore', 'ignore', 'inherit'] },
		);
		return JSON.parse(readFileSync(output, 'utf8')) as Report;
	} finally {
		rmSync(folder, { recursive: true });
	}
}

const all = attacks(PROJECT);
const here = all.filter(({ file }) => !file.startsWith('test/n8n/'));
const report = run(here);
let passed = 0;
let failed = 0;
for (const attack of all) {
	if (!here.includes(attack)) {
		console.log(`n8n     ${attack.tried} (npm run test:n8n)`);
		continue;
	}
	const tests = report.testResults
		.filter(({ name }) => name.endsWith(attack.file))
		.flatMap(({ assertionResults }) => assertionResults)
		.filter(({ fullName, status }) => fullName.includes(attack.test.split('%s')[0]) && status !== 'pending');
	const good = tests.length > 0 && tests.every(({ status }) => status === 'passed');
	if (good) passed++;
	else failed++;
	console.log(`${good ? 'holds ' : 'BROKEN'}  ${attack.tried} (${tests.length} tests)`);
}
console.log(`\nTests:       ${failed > 0 ? `${failed} failed, ` : ''}${passed} passed, ${passed + failed} total`);
if (failed > 0) process.exitCode = 1;
