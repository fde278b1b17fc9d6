import { execFileSync } from 'child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { join } from 'path';
import { PROJECT } from '../../test/n8n/host/installation';

/** Says which demo works in a folder. */
const OWNER_FILE = 'running.json';

/** How the sheet changes before its second run. */
const CHANGED_ROWS = 2;
const NEW_ROW = 'https://shop.example.com/spring/last-days,spring-last-days,Last days of spring,,';

interface Owner {
	pid: number;
	url?: string;
}

/** Whether a process is a demo that still runs. */
function isRunning(pid: number): boolean {
	try {
		const command = execFileSync('ps', ['-p', String(pid), '-o', 'command='], { stdio: ['ignore', 'pipe', 'ignore'] });
		return pid !== process.pid && command.includes('demo/main');
	} catch {
		return false;
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

/** The demo's own folder: n8n's data, and the sheet. */
export class DemoFolder {
	/** n8n's own data. */
	readonly n8n: string;

	readonly files: string;

	readonly sheet: string;

	private constructor(readonly path: string) {
		this.n8n = join(path, 'n8n');
		this.files = join(path, 'files');
		this.sheet = join(this.files, 'links.csv');
	}

	/**
	 * Takes the folder for this process and clears what an earlier run left there.
	 *
	 * @throws {Error} when another demo works in it, or when it holds something that isn't the demo's
	 */
	static take(path: string, say: (line: string) => void): DemoFolder {
		const folder = new DemoFolder(path);
		const owner = ownerOf(path);
		if (owner !== undefined && isRunning(owner.pid)) {
			const where = `process ${owner.pid}${owner.url === undefined ? '' : `, ${owner.url}`}`;
			throw new Error(`The demo is running already (${where}). Stop it with Ctrl-C, or with: kill ${owner.pid}`);
		}
		if (existsSync(path) && !existsSync(folder.n8n) && owner === undefined)
			throw new Error(`${path} exists and is not a demo's folder. Remove it, or name another one with --folder.`);
		if (owner !== undefined) say('An earlier run was cut off. Its data is removed.');
		rmSync(path, { recursive: true, force: true });
		for (const below of [folder.n8n, folder.files]) mkdirSync(below, { recursive: true });
		folder.announce();
		cpSync(join(PROJECT, 'examples', 'links.csv'), folder.sheet);
		return folder;
	}

	/** Edits the sheet as its users would from one day to the next: two rows change, one is new, and the failed ones go. */
	editSheet(): void {
		const [head, ...rows] = readFileSync(this.sheet, 'utf8').trimEnd().split('\n');
		const edited = rows
			.filter((row) => !/,"?failed: /.test(row))
			.map((row, index) => (index < CHANGED_ROWS ? row.replace(/[?,]/, '-again$&') : row));
		writeFileSync(this.sheet, `${[head, ...edited, NEW_ROW].join('\n')}\n`);
	}

	/** Lets other processes know that this one works here, and where its n8n answers. */
	announce(url?: string): void {
		writeFileSync(join(this.path, OWNER_FILE), JSON.stringify({ pid: process.pid, url } satisfies Owner));
	}

	/** Gives the folder back; the files in it stay for whoever wants to look at them. */
	release(): void {
		if (ownerOf(this.path)?.pid === process.pid) rmSync(join(this.path, OWNER_FILE));
	}
}
