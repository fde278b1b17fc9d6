import { execFileSync } from 'child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { join } from 'path';
import { PROJECT } from '../../test/n8n/host/installation';

/** Says which demo works in a folder. */
const OWNER_FILE = 'running.json';

/** How the sheet changes before its second run. */
const CHANGED_ROWS = 2;
const NEW_ROW =
	'https://shop.example.com/spring/last-days,spring-last-days,101,2031-06-01 00:00:00,Last days of spring';

interface Owner {
	pid: number;
	url?: string;
}

/** The command line of a running process; undefined when there is no such process. */
function commandOf(pid: number): string | undefined {
	try {
		return execFileSync('ps', ['-p', String(pid), '-o', 'command='], {
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		});
	} catch {
		return undefined;
	}
}

function ownerOf(folder: string): Owner | undefined {
	try {
		return JSON.parse(readFileSync(join(folder, OWNER_FILE), 'utf8')) as Owner;
	} catch {
		// No such file, or one that a killed run left half-written: nobody works here.
		return undefined;
	}
}

/** The demo's own folder: n8n's data, the spreadsheet and the result. */
export class DemoFolder {
	readonly files: string;

	readonly sheet: string;

	readonly result: string;

	/** The result of the second run. */
	readonly inStep: string;

	private constructor(readonly path: string) {
		this.files = join(path, 'files');
		this.sheet = join(this.files, 'links.csv');
		this.result = join(this.files, 'links-with-short-urls.csv');
		this.inStep = join(this.files, 'links-in-step.csv');
	}

	/**
	 * Takes the folder for this process and clears what an earlier run left there.
	 *
	 * @param say told when something was cleared
	 * @throws {Error} when another demo works in it, or when it holds something that isn't the demo's
	 */
	static take(path: string, say: (line: string) => void): DemoFolder {
		const owner = ownerOf(path);
		if (owner !== undefined && owner.pid !== process.pid && commandOf(owner.pid)?.includes('demo/main')) {
			throw new Error(
				`The demo is running already (process ${owner.pid}${owner.url === undefined ? '' : `, ${owner.url}`}). Stop it with Ctrl-C where it runs, or with: kill ${owner.pid}`,
			);
		}
		const marker = join(path, 'n8n');
		if (existsSync(path) && !existsSync(marker) && !existsSync(join(path, OWNER_FILE))) {
			throw new Error(`${path} exists and is not a demo's folder. Remove it, or name another one with --folder.`);
		}
		if (owner !== undefined) say('An earlier run was cut off. Its data is removed.');
		rmSync(path, { recursive: true, force: true });
		mkdirSync(marker, { recursive: true });
		const folder = new DemoFolder(path);
		folder.announce();
		mkdirSync(folder.files);
		cpSync(join(PROJECT, 'examples', 'links.csv'), folder.sheet);
		return folder;
	}

	/** n8n's own data. */
	get n8n(): string {
		return join(this.path, 'n8n');
	}

	/**
	 * Edits the sheet as its users would from one day to the next: two rows lead elsewhere, and one is new.
	 *
	 * @param wrong the rows that are taken out, counted from 0
	 */
	editSheet(wrong: number[]): void {
		const [head, ...rows] = readFileSync(this.sheet, 'utf8').trimEnd().split('\n');
		const edited = rows
			.filter((_row, index) => !wrong.includes(index))
			.map((row, index) => (index < CHANGED_ROWS ? row.replace(/[?,]/, '-again$&') : row));
		writeFileSync(this.sheet, `${[head, ...edited, NEW_ROW].join('\n')}\n`);
	}

	/** Tells other processes that this one works here, and where its n8n answers. */
	announce(url?: string): void {
		writeFileSync(join(this.path, OWNER_FILE), JSON.stringify({ pid: process.pid, url } satisfies Owner));
	}

	/** Gives the folder back; the files in it stay for whoever wants to look at them. */
	release(): void {
		if (ownerOf(this.path)?.pid === process.pid) rmSync(join(this.path, OWNER_FILE));
	}
}
