/** Performs the tasks of Create or Update, from the plan to the items of their rows. */
import type { IDataObject } from 'n8n-workflow';

import { ApiError } from '../../service/answer/errors';
import { asText, flatRecord } from '../../service/records';
import { changesOf, differences, needsDetails, predict } from '../comparison';
import { createLink } from './createLink';
import { isFilled } from '../linkFields';
import { linkIn, merge } from '../account';
import { itemRecord, type LinkItem, type LinkRow } from '../linkRow';
import type { LinkTask, SheetRow, SheetRules } from '../plan';
import { aboutLink, describeLink, idOfLink, keyOf, type LinkRecord, longUrlNameOf } from '../reference';
import { prepareUpdate, updateLink } from './updateLink';
import { isSameAddress } from '../url';

export interface PlannedRow extends SheetRow {
	readonly row: LinkRow;
}

type Task = LinkTask<PlannedRow>;

interface Done {
	link: LinkRecord;
	action: 'created' | 'updated' | 'unchanged';
	changes?: IDataObject;
}

export async function performTask(task: Task, rules: SheetRules): Promise<LinkItem[][]> {
	const { link, action, changes } = await (task.link === undefined ? make(task, rules) : bring(task, task.link, rules));
	const dryRun = rules.dryRun ? { dryRun: true } : {};
	return task.rows.map((_row, at) => {
		// The outcome comes first, where the editor shows it without scrolling.
		const own = at === 0 ? { action, ...dryRun, ...(changes && { changes }) } : { action: 'unchanged', ...dryRun };
		return [{ json: { ...own, ...itemRecord(link), ...own } }];
	});
}

/** Compares a link with what its rows say, and updates it if they differ. */
async function bring({ fields, rows: [{ row }] }: Task, link: LinkRecord, rules: SheetRules): Promise<Done> {
	const isAsAsked = (one: LinkRecord) => differences(fields, one).length === 0;
	const isKept = rules.updateWhen === 'never' || (isAsAsked(link) && !needsDetails(fields));
	if (isKept) return { link, action: 'unchanged' };
	const { account } = row;
	const id = idOfLink(link);
	const details = await account.details(id);
	const shown = account.index.put(merge(link, linkIn(details, id)));
	const record = { ...flatRecord(details), id };
	const known = { ...link, ...record };
	const whole = isAsAsked(known) ? known : await account.fullRecord(record);
	if (isAsAsked(whole)) return { link: shown, action: 'unchanged' };
	const body = prepareUpdate(whole, fields);
	const now = rules.dryRun ? predict(shown, fields) : (await updateLink(row, whole, fields, body)).link;
	return { link: now, action: 'updated', changes: changesOf(fields, whole) as IDataObject };
}

async function make(task: Task, rules: SheetRules): Promise<Done> {
	const { fields, rows } = task;
	const [{ row }] = rows;
	if (rules.dryRun) {
		const { url, custom, ...others } = fields;
		const alias = custom === undefined ? {} : { alias: custom };
		return { link: predict({ ...alias, longurl: url }, others), action: 'created' };
	}
	if (fields.custom !== undefined) return await makeOnce(task);
	// Without an alias, only the long URL tells links apart: of executions at the same time, one makes it.
	return await row.account.client.connection.beingMade.inTurn(
		keyOf(longUrlNameOf(fields)),
		async (other) => (other && (await takeOthers(task, other, rules))) ?? (await makeOnce(task)),
		({ link: { id, shorturl } }) => ({ id, shorturl }),
	);
}

/** Takes the link that another execution has made, if it is still there and has the long URL. */
async function takeOthers(task: Task, { id, shorturl }: LinkRecord, rules: SheetRules): Promise<Done | undefined> {
	const { fields, rows } = task;
	const [{ row }] = rows;
	const { account } = row;
	const byId = async () => {
		const details = await account.detailsIfThere(Number(id));
		return details && account.index.putDetails(details, Number(id));
	};
	// Some services answer a creation without its ID.
	const byAddress = async () => {
		const link = await account.lookUp(asText(shorturl));
		return link === 'unclear' ? await account.findMade(fields, Infinity) : link;
	};
	const link = await (id === undefined ? byAddress() : byId());
	return link && isSameAddress(link.longurl, fields.url) ? await bring(task, link, rules) : undefined;
}

async function makeOnce({ fields, rows: [{ row }] }: Task): Promise<Done> {
	const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => isFilled(value)));
	const { record, existing } = await createLink(row, filled, { isPlanned: true });
	if (existing) {
		const error = new ApiError(
			'otherwise',
			`The service gave the link ${describeLink(record)}, which was there already`,
			'Nothing was changed for this row. Give the row an alias, or write its long URL as the service has it.',
		);
		throw aboutLink(error, record);
	}
	return { link: row.account.index.put(predict(record, { ...fields, custom: undefined })), action: 'created' };
}
