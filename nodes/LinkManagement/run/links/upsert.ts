import type { IDataObject } from 'n8n-workflow';

import { linkIdOf, type LinkRecord } from '../../account/linkIndex';
import type { LinkName } from '../../account/linkName';
import { flatRecord } from '../../api/flatRecord';
import { asText } from '../../api/records';
import { inSlices, inTurns } from '../../engine/slices';
import { StoppedError } from '../../rateLimit/cancellation';
import { differences, type LinkFields } from '../../sheet/changes';
import { best, SheetPlan, type Matching, type PlannedRow } from '../../sheet/plan';
import type { Prepare, Row } from '../row';
import { accountForRun, accountLinksOf, accountOf, saidBefore } from './account';
import { updateOf } from './change';
import { nameOf, problemOf, RowAtWork, type Upserting } from './upsertRow';

/** A row, with what it asks for. */
type Asking = Matching & { row: Row; fields: LinkFields };

function matchingOf({ request: { options } }: Row): Matching {
	const { matchOn, updateWhen } = options;
	return {
		matchOn: matchOn === 'url' ? 'url' : 'alias',
		updateWhen: updateWhen === 'always' || updateWhen === 'never' ? updateWhen : 'changed',
	};
}

/**
 * The details of links that are there and whose rows can be done only where their links have already what they ask for: an expiry
 * that has passed, a deep link whose targets the row does not name. They are read before anything is changed, and kept for the row.
 */
async function detailsForDoubt(asked: readonly Asking[], upserting: Upserting): Promise<Map<unknown, LinkRecord>> {
	const doubtful = await inSlices(asked, ({ row, fields, updateWhen, matchOn }) => {
		if (updateWhen === 'never') return [];
		try {
			upserting.check(fields as IDataObject);
			upserting.checkNew(row, fields);
			return [];
		} catch {
			const found = accountLinksOf(row).among(nameOf(fields, matchOn));
			return found.length === 0 ? [] : [{ row, link: best(fields, found) }];
		}
	});
	const links = new Map(doubtful.flat().map(({ row, link }) => [linkIdOf(link), row]));
	const details = new Map<unknown, LinkRecord>();
	await Promise.all(
		[...links].map(async ([id, row]) => {
			if (id === undefined) return;
			const read = await accountOf(row)
				.readAhead(id)
				.catch((error: unknown) => {
					if (error instanceof StoppedError) throw error;
					row.refuse(error);
					return undefined;
				});
			if (read !== undefined) details.set(id, flatRecord(read));
		}),
	);
	return details;
}

/**
 * Sees to it that the account has the links of the rows (interface: Create or Update). What the account has is asked once for all
 * rows, and what becomes of each is planned; a dry run puts the plan out.
 */
export function planRows(upserting: Upserting): Prepare {
	return async (rows) => {
		const [first] = rows;
		if (first === undefined) return;
		const account = accountForRun(first);
		const { links } = account;
		const asked = await inSlices(rows, (row) => ({ row, fields: row.request.body, ...matchingOf(row) }));
		const names = await inSlices(asked, ({ fields, matchOn }) => nameOf(fields, matchOn));
		// A link may be there without the alias that its row has asked for.
		const others = await inSlices(asked, ({ fields: { custom, domain, url } }): LinkName[] =>
			(custom !== undefined && links.drops('alias')) || (domain !== undefined && links.drops('domain'))
				? [{ by: 'url', url: asText(url) }]
				: [],
		);
		await account.findAll([...names, ...others.flat()]);
		const details = await detailsForDoubt(asked, upserting);
		const plan = new SheetPlan((link) => saidBefore(first, link), links.defaultHost, {
			likelyHost: links.likelyHost,
			holders: (alias, domain) => links.among({ by: 'alias', alias, domain }),
		});
		const byPlan = new Map<PlannedRow, Row>();
		for await (const [at, { row, ...matching }] of inTurns(asked.entries())) {
			if (row.refusal !== undefined) continue;
			const check = (fields: LinkFields, link?: LinkRecord) => {
				const read = link && details.get(linkIdOf(link));
				const differing = link === undefined ? Object.keys(fields) : differences(fields, { ...read, ...link });
				upserting.checkNew(row, Object.fromEntries(differing.map((name) => [name, fields[name]])));
				if (link === undefined) upserting.check(fields as IDataObject);
				else if (read !== undefined && differing.length > 0) updateOf({ ...read, ...link }, fields, upserting.check);
			};
			let planned: PlannedRow;
			try {
				planned = plan.add({ ...matching, item: row.index }, links.among(names[at]), check);
				const problem = problemOf(planned.step, upserting.labels);
				if (problem !== undefined) throw problem;
			} catch (error) {
				row.refuse(error);
				continue;
			}
			byPlan.set(planned, row);
			for (const earlier of [planned.after, planned.freedBy]) row.waitFor(earlier && byPlan.get(earlier));
			row.decision = async () => [{ json: await new RowAtWork(row, planned, upserting).perform() }];
		}
	};
}
