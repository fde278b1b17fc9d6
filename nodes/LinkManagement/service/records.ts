import type { IDataObject } from 'n8n-workflow';

export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Digits, or digits in groups of three as people write them. */
const WHOLE = /^(?:\d{1,15}|\d{1,3}(?:,\d{3}){1,4})$/;

/** A whole number of at least `least`, given as a number or as text; anything else is undefined. */
export function wholeNumber(value: unknown, least: number): number | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	const figure = WHOLE.test(text) ? Number(text.replaceAll(',', '')) : value;
	return typeof figure === 'number' && Number.isSafeInteger(figure) && figure >= least ? figure : undefined;
}

/** A visible character: neither white space nor of no width, such as a byte-order mark. */
const VISIBLE = /[^\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;

/** Text without invisible characters around it. */
export function trimmed(text: string): string {
	const start = text.search(VISIBLE);
	let end = start === -1 ? 0 : text.length;
	while (end > start && !VISIBLE.test(text[end - 1])) end--;
	return text.slice(Math.max(start, 0), end);
}

/** Longest text (characters) of a cell, a parameter or a field of an answer that is looked into. */
export const LONGEST_TEXT = 10_000;

/** Whether a value is empty: nothing, only invisible characters, or an empty list. A text that is too long is not: it is refused. */
export function isBlank(value: unknown): boolean {
	if (Array.isArray(value)) return value.length === 0;
	if (typeof value === 'string') return value.length <= LONGEST_TEXT && !VISIBLE.test(value);
	return value === undefined || value === null;
}

/** What databases, people and models write for an empty value. */
const NOTHING = /^(?:null|none|undefined|\\n|n\/a|[-\u2010-\u2015])$/i;

/** Whether a value is empty, or a text that says so. */
export function isNothing(value: unknown): boolean {
	return isBlank(value) || (typeof value === 'string' && value.length <= LONGEST_TEXT && NOTHING.test(trimmed(value)));
}

/** A value of a record as text; objects as JSON, since they may have a `toString` of their own. */
export function asText(value: unknown): string {
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** True or false, also as 1 or 0, or as text in any case; undefined for anything else. */
export function asFlag(value: unknown): boolean | undefined {
	const word = asText(value ?? '')
		.trim()
		.toLowerCase();
	if (word === 'true' || word === '1') return true;
	return word === 'false' || word === '0' ? false : undefined;
}

/** Fields that hold an ID or a count (spec, "Resources and their fields"). None of them is free text. */
const NUMBERS = ['id', 'clicks', 'uniqueClicks', 'scans', 'views', 'planid'] as const;

/**
 * A record with its ID and counts as numbers, which some services send as text (field notes), and with `uniqueClicks` in one
 * spelling. A value that is not a whole number stays.
 */
export function withNumbers({ uniqueclicks, ...sent }: IDataObject): IDataObject {
	const record = uniqueclicks === undefined ? sent : { ...sent, uniqueClicks: uniqueclicks };
	for (const name of NUMBERS) {
		const value = record[name];
		if (typeof value === 'string') record[name] = (name === 'id' ? asId(value) : wholeNumber(value, 0)) ?? value;
	}
	return record;
}

/** An ID: a positive whole number, in digits alone; anything else is undefined. */
export function asId(value: unknown): number | undefined {
	const digits = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
	return /^[1-9]\d{0,15}$/.test(digits) && Number.isSafeInteger(Number(digits)) ? Number(digits) : undefined;
}

/** The ID of a record, or of the answer to a creation, which may have it under `data` (field notes). */
export function idOf({ id, data }: { id?: unknown; data?: unknown }): number | undefined {
	return asId(id) ?? (isRecord(data) ? asId(data.id) : undefined);
}

/** The answer to a creation or change, as one flat record also if it stands under `data`. */
export function recordIn(body: IDataObject): IDataObject {
	const { data, ...others } = body;
	return withNumbers(isRecord(data) && body.id === undefined && 'id' in data ? { ...data, ...others } : body);
}

/** The figures of a list (spec, "Paged list envelope"). */
type Figure = 'result' | 'nextpage' | 'maxpage';

/** Whether a body has the figures of a page. */
export function hasPageFigures(body: IDataObject): boolean {
	return [body, body.data].filter(isRecord).some((part) => ['nextpage', 'maxpage'].some((name) => name in part));
}

/**
 * The records of a body (spec, "Paged list envelope"): as a list or as an object with keys, under `data` or beside it (field notes,
 * "Envelope and types").
 *
 * @param collection the field that holds the records; several names where services differ
 * @returns undefined if the body holds no list
 */
export function recordsIn(body: unknown, collection: string | readonly string[]): IDataObject[] | undefined {
	if (!isRecord(body)) return undefined;
	const names = [collection].flat();
	const { data } = body;
	const places = [data, body]
		.filter(isRecord)
		.flatMap((part) => names.filter((name) => name in part).map((name) => part[name]));
	const lists = [...(Array.isArray(data) ? [data] : []), ...places].map((list): unknown[] => Object.values(list ?? {}));
	const records = lists.find(({ length }) => length > 0) ?? lists[0];
	return records?.filter(isRecord).map(withNumbers);
}

/** The figures of a page, sent as numbers or text; undefined if missing or garbled. */
export function figuresIn(body: IDataObject): Record<Figure, number | undefined> {
	const { result, nextpage, maxpage } = isRecord(body.data) ? body.data : body;
	return { result: wholeNumber(result, 0), nextpage: wholeNumber(nextpage, 1), maxpage: wholeNumber(maxpage, 0) };
}

/** Counts by name; the service sends 0 if there are none, and the counts of QR codes as text (spec). */
function counts(value: unknown): IDataObject {
	if (!isRecord(value)) return {};
	return Object.fromEntries(Object.entries(value).map(([name, figure]) => [name, wholeNumber(figure, 0) ?? 0]));
}

/** A QR code with its time in `date`; details may have it in `data` (field notes, "Resources"). */
export function dateInItsPlace({ data, ...code }: IDataObject): IDataObject {
	if (data === undefined) return code;
	return code.date === undefined && typeof data === 'string' ? { ...code, date: data } : { ...code, data };
}

/** The details and statistics of one record, as one flat record (spec, "Short link details", "QR code"). */
export function flatRecord({ id, details, data, ...others }: IDataObject): IDataObject {
	const statistics = isRecord(data) ? data : {};
	const record: IDataObject = {
		...(id === undefined ? {} : { id }),
		...others,
		...(isRecord(details) ? dateInItsPlace(details) : {}),
		...statistics,
	};
	for (const name of ['topCountries', 'topReferrers', 'topBrowsers', 'topOs']) record[name] = counts(statistics[name]);
	if (isRecord(statistics.socialCount)) record.socialCount = counts(statistics.socialCount);
	return withNumbers(record);
}

/** The fields that may hold a name. For campaigns, services differ, and so do lists and answers (spec, "Campaign"; field notes, "Resources"). */
const NAME_FIELDS = ['name', 'campaign', 'domain'] as const;

export function nameFieldOf(record: IDataObject): (typeof NAME_FIELDS)[number] | undefined {
	return NAME_FIELDS.find((field) => !isBlank(record[field]));
}

/** The name of a campaign or channel, if it has one. */
export function nameIn(record: IDataObject): unknown {
	const field = nameFieldOf(record);
	return field && record[field];
}
