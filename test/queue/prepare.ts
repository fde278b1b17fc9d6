import { installation } from '../n8n/host/installation';

/** Installs n8n, which takes minutes on a new machine: here no test's time limit runs meanwhile. */
export default async function prepare(): Promise<void> {
	await installation();
}
