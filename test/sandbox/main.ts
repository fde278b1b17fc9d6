import { parseArgs } from 'util';
import { describeDeviations, DIALECTS, readDeviations } from './dialect';
import { startSandbox, type RecordCounts, type Sandbox, type SandboxOptions } from './index';
import { COLLECTION_NAMES } from './records';

/** How often `--traffic` has a visitor, and how many of the newest links and QR codes are visited. */
const TRAFFIC_MS = 5000;
const NEWEST = 3;

const USAGE = `Usage: npm run sandbox -- [options]

  --port <number>        port (default 4010; 0 takes a free one)
  --records <list>       how many, e.g. links=1000,qrs=50,campaigns=5
  --limit <number>       requests a window (default 30), or none
  --window <seconds>     how long a window lasts (default 60)
  --dialect <dialect>    document (default): answers as the specification says; field: as deployed services were seen to
  --set <name>=<value>   a single deviation; may be given several times
  --list                 names the deviations and their values, and ends
  --traffic              a click and a scan every few seconds, so that a trigger has something to see
  --notify <address>     posts each new link and each click there, as services do, such as to a webhook of n8n
`;

function oneOf<T extends string>(name: string, value: string, choices: readonly T[]): T {
	const choice = choices.find((entry) => entry === value);
	if (choice === undefined) throw new Error(`--${name} must be one of ${choices.join(', ')}`);
	return choice;
}

function wholeNumber(name: string, value: string): number {
	if (!/^\d+$/.test(value)) throw new Error(`--${name} must be a whole number`);
	return Number(value);
}

function recordCounts(list: string): RecordCounts {
	return Object.fromEntries(
		list.split(',').map((entry) => {
			const [name, count = ''] = entry.trim().split('=');
			return [oneOf('records', name, COLLECTION_NAMES), wholeNumber('records', count)];
		}),
	);
}

function webAddress(name: string, value: string): string {
	if (value !== '' && !/^https?:\/\/./.test(value)) throw new Error(`--${name} must be a web address`);
	return value;
}

/** @returns what to start, or the text to show in its place */
function readOptions(): (SandboxOptions & { traffic: boolean }) | string {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '4010' },
			records: { type: 'string' },
			limit: { type: 'string', default: '30' },
			window: { type: 'string', default: '60' },
			dialect: { type: 'string', default: 'document' },
			set: { type: 'string', multiple: true, default: [] },
			list: { type: 'boolean', default: false },
			traffic: { type: 'boolean', default: false },
			notify: { type: 'string', default: '' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return USAGE;
	if (values.list) return describeDeviations();
	return {
		port: wholeNumber('port', values.port),
		...(values.records === undefined ? {} : { records: recordCounts(values.records) }),
		limit: {
			requests: values.limit === 'none' ? null : wholeNumber('limit', values.limit),
			windowMs: wholeNumber('window', values.window) * 1000,
		},
		dialect: oneOf('dialect', values.dialect, DIALECTS),
		deviations: readDeviations(values.set),
		notify: webAddress('notify', values.notify),
		traffic: values.traffic,
	};
}

/** Clicks one of the newest links and scans one of the newest QR codes, now and then. */
function startTraffic(sandbox: Sandbox): void {
	const anyOfNewest = (records: Array<{ id: number }>) => {
		const newest = records.map(({ id }) => id).sort((one, other) => other - one);
		const id = newest[Math.floor(Math.random() * Math.min(newest.length, NEWEST))];
		return id === undefined ? [] : [{ id, count: 1 }];
	};
	const visit = async () =>
		await sandbox.simulate({
			clicks: anyOfNewest(await sandbox.links()),
			scans: anyOfNewest(await sandbox.qrs()),
		});
	setInterval(() => void visit(), TRAFFIC_MS);
}

/** How to try a trigger by hand. */
async function howToTry(sandbox: Sandbox, traffic: boolean): Promise<string> {
	const [[link], [qr]] = [await sandbox.links(), await sandbox.qrs()];
	if (traffic)
		return `  Traffic:  a click and a scan every ${TRAFFIC_MS / 1000} s. Publish a workflow with a trigger that polls every minute, and wait.\n`;
	const click = link === undefined ? 'open a short link' : `open ${link.shorturl}`;
	const scan = `open ${sandbox.url}/scan/${qr?.code ?? '<code>'}, the last part of a code's link`;
	return `  A click:  ${click} in a browser\n  A scan:   ${scan}\n  Both, every few seconds: start the sandbox with --traffic\n`;
}

async function main(): Promise<void> {
	const options = readOptions();
	if (typeof options === 'string') {
		process.stdout.write(options);
		return;
	}
	const { traffic, ...state } = options;
	const sandbox = await startSandbox(state);
	process.stdout.write(`Link Management sandbox\n  Base URL: ${sandbox.url}\n  API key:  ${sandbox.apiKey}\n`);
	process.stdout.write(await howToTry(sandbox, traffic));
	if (state.notify) process.stdout.write(`  Notify:   each new link and each click is posted to ${state.notify}\n`);
	if (traffic) startTraffic(sandbox);
	const stop = (): void => {
		sandbox.stop().then(
			() => process.exit(0),
			() => process.exit(1),
		);
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
