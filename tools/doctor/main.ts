/** `npm run doctor -- --base-url …`: how a service answers, and the line that makes the sandbox answer so too. */
import { createInterface } from 'readline/promises';
import { Writable } from 'stream';
import { parseArgs } from 'util';
import { serviceAddress } from '../../nodes/LinkManagement/service/baseUrl';
import { examine } from './examine';
import { reportOf } from './report';
import { Visit, type Credential } from './visit';

const USAGE = `Usage: npm run doctor -- --base-url <address>

  --base-url <address>   the service's address, as in the credential: https://lnk.example

The API key is asked for, or read from the environment variable LINK_MANAGEMENT_API_KEY.
LINK_MANAGEMENT_HEADER="Name: value" is sent along, where something in front of the service wants a header.
The report goes to standard output. It holds neither the key nor the account's data.
`;

async function askForKey(): Promise<string> {
	process.stderr.write('API key: ');
	const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
	const lines = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY });
	try {
		return (await lines.question('')).trim();
	} finally {
		lines.close();
		process.stderr.write('\n');
	}
}

function headersIn(text: string | undefined): Pick<Credential, 'headers'> {
	if (text === undefined || text === '') return {};
	const [, name, value] = /^\s*([\w-]+)\s*:\s*(.*?)\s*$/.exec(text) ?? [];
	if (name === undefined) throw new Error('LINK_MANAGEMENT_HEADER has to be Name: value');
	return { headers: { [name]: value } };
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			'base-url': { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	const address = values['base-url'];
	if (values.help || address === undefined) {
		process.stdout.write(USAGE);
		process.exitCode = values.help ? 0 : 1;
		return;
	}
	const key = process.env.LINK_MANAGEMENT_API_KEY || (await askForKey());
	if (key === '') throw new Error('There is no key');
	const visit = new Visit({ baseUrl: serviceAddress(address), key, ...headersIn(process.env.LINK_MANAGEMENT_HEADER) });
	process.stderr.write('Asking, at the pace that the service allows …\n');
	const findings = await examine(visit);
	process.stdout.write(reportOf(findings));
	process.stderr.write(`${visit.requests} requests\n`);
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
