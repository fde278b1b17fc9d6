import { Findings } from './findings';
import { Locked, readDoor, readLists, readMisses, readSearches, readSizes, readSuccess } from './reading';
import type { Visit } from './visit';

/** Finds out how a service answers, by reading alone. */
export async function examine(visit: Visit): Promise<Findings> {
	const findings = new Findings();
	try {
		await readDoor(visit, findings);
	} catch (error) {
		if (!(error instanceof Locked)) throw error;
		findings.wonder(error.message);
		return findings;
	}
	const lists = await readLists(visit, findings);
	if (lists.links !== undefined) {
		const links = await readSizes(visit, findings);
		await readMisses(visit, findings);
		const known = links.map(({ id }) => Number(id)).find(Number.isInteger);
		await readSuccess(visit, findings, known);
		await readSearches(visit, findings, links, lists.domains?.records ?? []);
	}
	return findings;
}
