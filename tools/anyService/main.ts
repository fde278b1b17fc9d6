/**
 * `npm run test:any-service`: everyday jobs at 5,000 services of the family, drawn at random, or at as many as are named;
 * `npm run test:any-service -- 60 1` takes those from seed 1 on.
 */
import { spawn } from 'child_process';
import { availableParallelism } from 'os';
import { join } from 'path';

const PROJECT = join(__dirname, '..', '..');
const [count = 5000, seed = Date.now() % 1_000_000_000] = process.argv.slice(2).map(Number);

/** Draws so many services in a process of its own. @returns whether every job at them ended well */
async function survey(services: number, from: number): Promise<boolean> {
	const env = { ...process.env, ANY_SERVICE_COUNT: String(services), SEED: String(from) };
	const args = ['test/anyService', '--runInBand', '--selectProjects', 'document'];
	const jest = join(PROJECT, 'node_modules', '.bin', 'jest');
	const child = spawn(jest, args, { cwd: PROJECT, env, stdio: 'inherit' });
	return await new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('exit', (code) => resolve(code === 0));
	});
}

async function main(): Promise<void> {
	if (!(count > 0 && seed >= 0)) throw new Error('Usage: npm run test:any-service -- [how many] [first seed]');
	const atOnce = Math.min(count, availableParallelism());
	const each = Math.ceil(count / atOnce);
	const runs = Array.from({ length: atOnce }, async (_, run) => await survey(each, seed + run * each));
	if ((await Promise.all(runs)).includes(false)) process.exitCode = 1;
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
