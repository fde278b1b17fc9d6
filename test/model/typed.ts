/** Rows as people type them: what comes in for a row that a scenario means. */
import type { IDataObject } from 'n8n-workflow';

import type { SheetRow } from './scenario';

/** Titles under which a column is found by itself. */
const TITLES: Record<string, string[]> = {
	short: ['shorturl', 'Short URL', 'short_url', 'SHORT-URL'],
	alias: ['alias', 'Alias', 'ALIAS', 'custom'],
	domain: ['domain', 'Domain', 'DOMAIN', 'domain'],
	url: ['long_url', 'Long URL', 'longurl', 'LONG_URL'],
	title: ['title', 'Meta Title', 'metatitle', 'META-TITLE'],
	description: ['description', 'Description', 'DESCRIPTION', 'description'],
	expiry: ['expiry', 'Expiry', 'EXPIRY', 'expiry'],
	campaign: ['campaign', 'Campaign', 'CAMPAIGN', 'campaign'],
};

const DAY = 86_400_000;

/** The end of a day, in each form that people and spreadsheets write. */
function dateForms(moment: string): Array<string | number> {
	const [year, month, day] = moment.slice(0, 10).split('-');
	const serial = (Date.parse(`${moment.slice(0, 10)}T00:00:00Z`) - Date.UTC(1899, 11, 30)) / DAY;
	return [
		moment,
		moment.replace(' ', 'T'),
		`${day}.${month}.${year}`,
		`${month}/${day}/${year}`,
		serial,
		String(serial),
	];
}

/** Whether no column of the row says anything. */
export function isBlank({ hand: _hand, ...row }: SheetRow): boolean {
	return Object.values(row).every((value) => value === '');
}

/** Whether a cell can't be read, or two columns of one field differ. */
export function isRefused(row: SheetRow): boolean {
	const { isBroken = false, twice } = row.hand ?? {};
	return !isBlank(row) && (isBroken || twice === 'other');
}

/** The item of a row. @param own where short links without a domain stand @param at the row's place, from 0 */
export function itemOf({ hand, short, germany, deep, ...row }: SheetRow, own: string, at: number): IDataObject {
	const { around = '', title = 0, date = 0, twice, isBroken } = hand ?? {};
	const says = { short: short && `${short.domain || own}/${short.alias}`, ...row };
	// A column for aliases makes it a sheet of links.
	const cells: IDataObject = { row_number: at + 2, ...(row.alias === undefined ? { [TITLES.alias[title]]: '' } : {}) };
	for (const [name, value] of Object.entries(says)) {
		if (value === undefined) continue;
		const form = name === 'expiry' && value !== '' ? dateForms(value)[date] : value;
		cells[TITLES[name][title]] = typeof form === 'string' ? around + form + around : form;
	}
	// Read by expressions, whatever the columns of the others are called.
	if (germany !== undefined) cells.germany = germany;
	if (deep === true) cells.deep = true;
	const isSaid = Object.values(says).some((value) => value !== undefined && value !== '');
	if (!isSaid) return { ...cells, [TITLES.alias[title]]: around };
	const doubled = (['url', 'alias', 'short'] as const).find((name) => says[name] !== undefined)!;
	const second = { same: says[doubled], other: 'https://else.example.com/' };
	if (twice !== undefined) cells[TITLES[doubled][(title + 1) % TITLES[doubled].length]] = second[twice];
	if (isBroken === true) cells[TITLES.title[title]] = '#N/A';
	return cells;
}
