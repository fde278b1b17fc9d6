import { type ChildProcess, spawn } from 'child_process';
import { readFileSync } from 'fs';
import { join } from 'path';
import { controlOf } from '../sandbox';
import { PROJECT } from './host/installation';
import { until } from './host/until';

const PATIENCE_MS = 90_000;
/** The rate-limit window in seconds: the sheet takes one and a bit. */
const WINDOW = '2';

/** A run of the demo in a process of its own. */
class Demo {
	output = '';

	private readonly child: ChildProcess;

	/** The exit code; null when a signal ended it. */
	readonly ended: Promise<number | null>;

	constructor() {
		this.child = spawn(process.execPath, ['--import', 'tsx', 'tools/demo/main.ts', '--window', WINDOW], {
			cwd: PROJECT,
		});
		const collect = (chunk: Buffer): void => {
			this.output += chunk.toString();
		};
		this.child.stdout?.on('data', collect);
		this.child.stderr?.on('data', collect);
		this.ended = new Promise((resolve) => this.child.once('close', resolve));
	}

	signal(signal: NodeJS.Signals): void {
		this.child.kill(signal);
	}

	/** Waits until the demo has printed something, and returns its first group. */
	async printed(pattern: RegExp): Promise<string> {
		const look = () => {
			const match = pattern.exec(this.output);
			if (match !== null) return match[1] ?? match[0];
			if (this.child.exitCode !== null) throw new Error(`The demo did not print ${String(pattern)}:\n${this.output}`);
			return undefined;
		};
		return await until(`the demo prints ${String(pattern)}`, look, { timeoutMs: PATIENCE_MS, pauseMs: 50 });
	}
}

const answers = async (url: string): Promise<boolean> =>
	await fetch(url).then(
		() => true,
		() => false,
	);
const silent = async (url: string): Promise<boolean> =>
	await until(`${url} is silent`, async () => !(await answers(url)), { timeoutMs: 2000, pauseMs: 50 });

const SUMMARY = /Done: 44 created, 4 failed, \d+ requests in \d+\.\d s/;
const CHANGED =
	/ {3}1 {2}spring-newsletter +updated .*\n {3}2 {2}spring-poster +updated .*\n {2}45 {2}spring-last-days +created /;
const SECOND_RUN = /Done: 42 unchanged, 2 updated, 1 created, 6 requests in/;
const EDITOR = /editor is open at (http\S+)\/workflow/;
const SERVICE = /sandbox service answers at (http\S+):/;

describe('npm run demo', () => {
	const running: Demo[] = [];
	const start = (): Demo => {
		const demo = new Demo();
		running.push(demo);
		return demo;
	};
	afterAll(async () => {
		running.forEach((demo) => demo.signal('SIGKILL'));
		await Promise.all(running.map(({ ended }) => ended));
	});

	it('creates the links of the sheet, says what came of each row, and leaves the editor open', async () => {
		const demo = start();
		await demo.printed(EDITOR);
		expect(demo.output).toMatch(SUMMARY);
		expect(demo.output).toMatch(SECOND_RUN);
		expect(demo.output).toMatch(CHANGED);
		const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8').replace(/\s+/g, ' ');
		expect(readme).toContain('48 rows, four of them wrong on purpose');
		expect(readme).toContain('42 unchanged, 2 updated, 1 created, 6 requests');
		expect(demo.output.match(/FAILED/g)).toHaveLength(4);
		expect(demo.output).toMatch(/ 44 links created, \d+ requests, \d+\.\d s\n\n/);
		expect(demo.output).toMatch(/ 48 {2}open +created +http:\S+\/open\n/);

		// The second run has left the links as the sheet has them.
		const service = controlOf(await demo.printed(SERVICE));
		const links = (await service.links()).filter(({ longurl }) => /\/\/(?:shop|partners)\.example\./.test(longurl));
		expect(links.length).toBe(45);
		expect(links.find(({ alias }) => alias === 'spring-newsletter')).toMatchObject({
			longurl: expect.stringContaining('/newsletter-again?') as string,
			description: 'Spring newsletter',
		});
	});

	it('leaves nothing running when it is killed, or ended with Ctrl-C in mid-run', async () => {
		const [killed] = running;
		killed.signal('SIGKILL');
		await killed.ended;
		await silent(await killed.printed(EDITOR));

		const next = start();
		await next.printed(/The first night/);
		next.signal('SIGINT');
		expect(await next.ended).toBe(130);
		expect(next.output).toContain('Stopping n8n and the sandbox');
		expect(next.output).not.toMatch(SUMMARY);
		await silent(await next.printed(SERVICE));
	});
});
