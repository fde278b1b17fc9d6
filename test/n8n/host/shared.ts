import { readFileSync } from 'fs';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { N8nSession, type Owner } from './session';

/** The environment variable through which the test run tells its workers about the n8n that they share. */
export const SHARED_N8N = 'LINK_MANAGEMENT_SHARED_N8N';

/** What a worker needs to know about the n8n that the tests share. */
export interface SharedN8n {
	url: string;
	owner: Owner;
	filesFolder: string;
	logFile: string;
}

/** The n8n that all tests of a run share; it must not be stopped. */
export class SharedSession extends N8nSession {
	constructor(private readonly shared: SharedN8n) {
		super(shared.url, shared.owner);
	}

	/** The only folder that workflows may read and write. */
	get filesFolder(): string {
		return this.shared.filesFolder;
	}

	/** Everything that n8n has written so far. */
	get logs(): string {
		return readFileSync(this.shared.logFile, 'utf8');
	}
}

let session: SharedSession | undefined;

/** The n8n that the tests of this run share, signed in to before the first test of the file. */
export function sharedN8n(): SharedSession {
	const shared = process.env[SHARED_N8N];
	if (shared === undefined) throw new Error('There is no shared n8n: run these tests with npm run test:n8n.');
	if (session !== undefined) return session;
	const own = new SharedSession(JSON.parse(shared) as SharedN8n);
	beforeAll(async () => await own.signIn());
	session = own;
	return own;
}

/** What the credential of a service holds. */
export function credentialOf({ url, apiKey }: Sandbox): { baseUrl: string; apiKey: string } {
	return { baseUrl: url, apiKey };
}

type Give = (sandbox: Sandbox) => unknown;

/**
 * Gives the tests of a file a service, without a limit, of which n8n has the credential.
 *
 * @param options what else is special about the service
 * @param give is handed it before the first test
 */
export function oneAccount(options: SandboxOptions, give: Give): void {
	account(options, give, beforeAll, afterAll);
}

/** Gives each test of a file a service of its own, without records and without a limit, of which n8n has the credential. */
export function emptyAccounts(options: SandboxOptions, give: Give): void {
	account({ records: { links: 0, qrs: 0, campaigns: 0 }, ...options }, give, beforeEach, afterEach);
}

function account(options: SandboxOptions, give: Give, before: typeof beforeAll, after: typeof afterAll): void {
	const n8n = sharedN8n();
	let sandbox: Sandbox | undefined;

	before(async () => {
		sandbox = await startSandbox({ limit: { requests: null }, ...options });
		await n8n.createCredential(credentialOf(sandbox), { name: 'Link Management account' });
		await give(sandbox);
	});

	after(async () => {
		await sandbox?.stop();
	});
}
