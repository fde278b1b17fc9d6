/** The operations on links that are there: what is done with each. */
import type { IDataObject } from 'n8n-workflow';

import { asText, flatRecord } from '../../service/records';
import { changesOf } from '../comparison';
import type { LinkFields } from '../linkFields';
import { groupedBy, type LinkItem, type LinkRow, namesOfLink, type Unit } from '../linkRow';
import { contradictionOf, merged } from '../plan';
import { chosenId, findLinkIds, readLink } from './chosenLinks';
import { deleteLink, prepareUpdate, updateLink } from './updateLink';

/** The rows of each link, once all links are found. */
async function rowsByLink(rows: readonly LinkRow[]): Promise<LinkRow[][]> {
	await findLinkIds(rows);
	return groupedBy(
		rows.filter(({ isRefused }) => !isRefused),
		(row) => asText(chosenId(row)),
	);
}

/** Updates a link: reads it, and sends back what its rows do not change. */
async function updateTogether(rows: readonly LinkRow[], fields: LinkFields): Promise<LinkItem[][]> {
	const [row] = rows;
	const { id, details } = await readLink(row);
	const shown = await row.account.fullRecord({ ...flatRecord(details), id });
	const { answer } = await updateLink(row, shown, fields, prepareUpdate(shown, fields));
	const changes = changesOf(fields, shown) as IDataObject;
	const done = { success: true, ...answer, id, ...namesOfLink(row, id) };
	return rows.map((_one, at) => [{ json: { ...done, changes: at === 0 ? changes : {} } }]);
}

/** Plans updates: rows of one link are one update, and all links are found before the first is changed. */
export async function planUpdates(rows: readonly LinkRow[]): Promise<Unit[]> {
	const links = await rowsByLink(rows);
	await rows[0].account.findListed(links.map(([row]) => chosenId(row)));
	return links.flatMap((some) => {
		const { fields, contradictions } = merged(some, ({ request }) => request.body);
		for (const row of contradictions.size > 0 ? some : []) row.refuse(contradictionOf(row, some, contradictions));
		return contradictions.size > 0 ? [] : [{ rows: some, perform: async () => await updateTogether(some, fields) }];
	});
}

/** Plans deletions: rows of one link are one deletion. */
export async function planDeletions(rows: readonly LinkRow[]): Promise<Unit[]> {
	return (await rowsByLink(rows)).map((some) => ({
		rows: some,
		async perform() {
			const [row] = some;
			const id = chosenId(row);
			const shown = namesOfLink(row, id, ['alias', 'shorturl', 'longurl', 'clicks']);
			const answer = await deleteLink(row, id);
			return some.map(() => [{ json: { deleted: true, ...answer, id, ...shown } }]);
		},
	}));
}
