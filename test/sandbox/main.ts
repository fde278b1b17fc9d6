import { parseArgs } from 'util';
import { describeDeviations, DIALECTS, readDeviations } from './dialect';
import { startSandbox, type RecordCounts, type SandboxOptions } from './index';
import { COLLECTION_NAMES } from './records';

const USAGE = `Usage: npm run sandbox -- [options]

  --port <number>        port (default 4010; 0 takes a free one)
  --records <list>       how many, e.g. links=1000,qrs=50,campaigns=5
  --limit <number>       requests a window (default 30), or none
  --dialect <dialect>    document (default): answers as the specification says; field: as deployed services were seen to
  --set <name>=<value>   a single deviation; may be given several times
  --list                 names the deviations and their values, and ends
  --key <key>            API key (default sandbox-key)
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

/** @returns what to start, or the text to show in its place */
function readOptions(): SandboxOptions | string {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '4010' },
			records: { type: 'string' },
			limit: { type: 'string', default: '30' },
			dialect: { type: 'string', default: 'document' },
			set: { type: 'string', multiple: true, default: [] },
			list: { type: 'boolean', default: false },
			key: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return USAGE;
	if (values.list) return describeDeviations();
	return {
		port: wholeNumber('port', values.port),
		...(values.records === undefined ? {} : { records: recordCounts(values.records) }),
		limit: { requests: values.limit === 'none' ? null : wholeNumber('limit', values.limit) },
		dialect: oneOf('dialect', values.dialect, DIALECTS),
		deviations: readDeviations(values.set),
		...(values.key === undefined ? {} : { apiKeys: [values.key] }),
	};
}

async function main(): Promise<void> {
	const options = readOptions();
	if (typeof options === 'string') {
		process.stdout.write(options);
		return;
	}
	const sandbox = await startSandbox(options);
	process.stdout.write(`Link Management sandbox\n  Base URL: ${sandbox.url}\n  API key:  ${sandbox.apiKey}\n`);
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
