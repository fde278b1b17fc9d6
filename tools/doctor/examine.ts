import { Findings } from './findings';
import { Locked, readDoor, readLink, readLists, readMisses, readSearches, readSizes, readSuccess } from './reading';
import type { Visit } from './visit';
import { readByWriting } from './writing';

/**
 * Finds out how a service answers.
 * @param write whether records of its own may be made, and deleted again
 */
export async function examine(visit: Visit, { write }: { write: boolean }): Promise<Findings> {
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
		const links = await readSizes(visit, findings, lists);
		await readMisses(visit, findings);
		const known = links.map(({ id }) => Number(id)).find(Number.isInteger);
		await readSuccess(visit, findings, known);
		await readSearches(visit, findings, links, lists.domains?.records ?? []);
		if (known !== undefined) await readLink(visit, findings, known);
	}
	if (write) await readByWriting(visit, findings, lists);
	return findings;
}
