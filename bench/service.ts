/** The sandbox in a process of its own, so that it takes no time from what measures it. Ends with its parent. */
import { startSandbox, type SandboxState } from '../test/sandbox';

export interface ServiceAnswer {
	url: string;
	apiKey: string;
}

process.once('message', (state: SandboxState) => {
	startSandbox(state).then(
		({ url, apiKey }) => process.send?.({ url, apiKey } satisfies ServiceAnswer),
		(error: unknown) => {
			console.error(error);
			process.exit(1);
		},
	);
});
process.once('disconnect', () => process.exit(0));
