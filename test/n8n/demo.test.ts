import { type ChildProcess, spawn } from 'child_process';
import { mkdtempSync, readFileSync, rmSync } from 'fs';
import { connect } from 'net';
import { tmpdir } from 'os';
import { join } from 'path';
import { setTimeout as delay } from 'timers/promises';
import { controlOf } from '../sandbox';
import { N8nSession } from './host';
import { PROJECT } from './host/installation';

const PATIENCE_MS = 90_000;
/** The rate-limit window in seconds: the sheet takes one and a bit. */
const WINDOW = '2';

/** A run of the demo in a process of its own. */
class Demo {
	output = '';

	private readonly child: ChildProcess;

	private readonly ended: Promise<number | null>;

	constructor(...options: string[]) {
		this.child = spawn(process.execPath, ['--import', 'tsx', 'tools/demo/main.ts', '--window', WINDOW, ...options], {
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

	/** @returns the exit code; null when a signal ended it */
	async end(): Promise<number | null> {
		return await this.ended;
	}

	/** Waits until the demo has printed something, and returns its first group. */
	async printed(pattern: RegExp): Promise<string> {
		const deadline = Date.now() + PATIENCE_MS;
		for (;;) {
			const match = pattern.exec(this.output);
			if (match !== null) return match[1] ?? match[0];
			if (Date.now() > deadline || this.child.exitCode !== null)
				throw new Error(`The demo did not print ${String(pattern)}:\n${this.output}`);
			await delay(50);
		}
	}
}

async function answers(url: string): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect(Number(new URL(url).port), '127.0.0.1');
		socket.once('connect', () => {
			socket.destroy();
			resolve(true);
		});
		socket.once('error', () => resolve(false));
	});
}

async function silent(url: string): Promise<boolean> {
	for (let tries = 0; tries < 40; tries++) {
		if (!(await answers(url))) return true;
		await delay(50);
	}
	return false;
}

const SUMMARY = /Done: +45 of 48 rows \(45 created, 0 existed\)\nFailed: +3,/;
const SECOND_RUN = /Done: +43 unchanged, 2 updated, 1 created, 6 requests, \d+\.\d s\n/;
const EDITOR = /editor is open at (http\S+)\/workflow/;
const SERVICE = /sandbox service answers at (http\S+):/;

describe('npm run demo', () => {
	const folder = join(mkdtempSync(join(tmpdir(), 'link-management-demo-')), 'demo');
	const running: Demo[] = [];
	const start = (...options: string[]): Demo => {
		const demo = new Demo('--folder', folder, ...options);
		running.push(demo);
		return demo;
	};
	afterAll(async () => {
		running.forEach((demo) => demo.signal('SIGKILL'));
		await Promise.all(running.map(async (demo) => await demo.end()));
		rmSync(join(folder, '..'), { recursive: true, force: true });
	});

	it('creates the links of the sheet, says what came of each row, and leaves the editor open', async () => {
		const demo = start();
		const url = await demo.printed(EDITOR);
		expect(demo.output).toMatch(SUMMARY);
		expect(demo.output).toMatch(SECOND_RUN);
		const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8').replace(/\s+/g, ' ');
		expect(readme).toContain('48 rows, three of them wrong on purpose');
		expect(readme).toContain('43 unchanged, 2 updated, 1 created, 6 requests');
		expect(demo.output).toMatch(/Time: +\d+\.\d s, of which \d+\.\d s waiting/);
		expect(demo.output).toMatch(/row 17 .*\n.*row 34 .*\n.*row 44 /);
		expect(demo.output).toMatch(/ 48 {2}open +created +http:\S+\/open\n/);
		const result = readFileSync(join(folder, 'files', 'links-with-short-urls.csv'), 'utf8')
			.trim()
			.split('\n');
		expect(result).toHaveLength(49);
		expect(result.filter((line) => line.endsWith(',created'))).toHaveLength(45);

		const email = await demo.printed(/Sign in with (\S+) /);
		const password = await demo.printed(/the password (\S+)/);
		const editor = new N8nSession(url, { email, password });
		await editor.signIn();
		const workflowId = await demo.printed(/\/workflow\/(\S+)/);

		// The second run has left the links as the sheet has them, with what it does not speak of.
		const service = controlOf(await demo.printed(SERVICE));
		const sheet = readFileSync(join(folder, 'files', 'links.csv'), 'utf8')
			.trim()
			.split('\n')
			.slice(1);
		const aliases = sheet.map((row) => row.split(',')[1]);
		const links = (await service.links()).filter(({ alias }) => aliases.includes(alias));
		expect([sheet.length, links.length]).toEqual([46, 46]);
		expect(links.find(({ alias }) => alias === 'spring-newsletter')).toMatchObject({
			longurl: expect.stringContaining('/newsletter-again?') as string,
			expiry: '2031-06-01 00:00:00',
		});

		// The same sheet once more, from the editor.
		await service.clearRequests();
		const actions = (await editor.run(workflowId)).json('Create or update links').map(({ action }) => action);
		expect(actions).toEqual(sheet.map(() => 'unchanged'));
		expect((await service.stats()).requests).toBe(1);
	});

	it('says so when it is running already, or when a port is taken', async () => {
		const url = await running[0].printed(EDITOR);
		const again = start('--once');
		expect(await again.end()).toBe(1);
		expect(again.output).toContain(`running already (process`);
		expect(again.output).toContain(url);

		const sameport = new Demo('--folder', `${folder}-2`, '--once', '--port', new URL(url).port);
		running.push(sameport);
		expect(await sameport.end()).toBe(1);
		expect(sameport.output).toContain(`Port ${new URL(url).port} is in use`);
		expect(await answers(url)).toBe(true);
	});

	it('leaves nothing running when it is killed, and the next run clears up after it', async () => {
		const killed = running[0];
		const url = await killed.printed(EDITOR);
		killed.signal('SIGKILL');
		await killed.end();
		expect(await silent(url)).toBe(true);

		const next = start('--once');
		expect(await next.end()).toBe(0);
		expect(next.output).toContain('An earlier run was cut off');
		expect(next.output).toMatch(SUMMARY);
		expect(next.output).toMatch(SECOND_RUN);
		expect(next.output).not.toMatch(EDITOR);
	});

	it('ends what it started on Ctrl-C, also in mid-run', async () => {
		const demo = start();
		await demo.printed(/Creating the 48 short links/);
		const service = await demo.printed(SERVICE);
		const { url } = JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8')) as { url: string };
		expect(await answers(url)).toBe(true);
		demo.signal('SIGINT');
		expect(await demo.end()).toBe(130);
		expect(demo.output).toContain('Stopping n8n and the sandbox');
		expect(demo.output).not.toMatch(SUMMARY);
		expect(await silent(service)).toBe(true);
		expect(await silent(url)).toBe(true);
	});
});
