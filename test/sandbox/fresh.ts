import { startSandbox, type Sandbox, type SandboxOptions } from '.';

/**
 * Starts a service for the tests of a file, gives each a new account there, and stops it after the last.
 *
 * @param give is handed the service before the first test
 */
export function freshSandbox(options: SandboxOptions, give: (sandbox: Sandbox) => void): void {
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox(options);
		give(sandbox);
	});

	beforeEach(async () => {
		await sandbox.reset();
	});

	afterAll(async () => {
		await sandbox.stop();
	});
}
