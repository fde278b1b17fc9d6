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

/** A character that can be seen: neither white space nor one of no width, such as a byte-order mark. */
const VISIBLE = /[^\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;

/** Text without what nobody sees around it. */
export function trimmed(text: string): string {
	const start = text.search(VISIBLE);
	let end = start === -1 ? 0 : text.length;
	while (end > start && !VISIBLE.test(text[end - 1])) end--;
	return text.slice(Math.max(start, 0), end);
}

/** An empty cell: nothing was entered, or nothing that anybody sees. So is an empty list. */
export function isBlank(value: unknown): boolean {
	if (Array.isArray(value)) return value.length === 0;
	return value === undefined || value === null || (typeof value === 'string' && !VISIBLE.test(value));
}

/** A value of a record as text. What is no plain value is written as JSON: an object may have a `toString` of its own. */
export function asText(value: unknown): string {
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Fields that hold an ID or a count (spec, "Resources and their fields"). None of them is free text. */
const NUMBERS = ['id', 'clicks', 'uniqueClicks', 'scans', 'views', 'planid'] as const;

/** Lists spell the field in another way than details do (field notes, "Envelope and types"). */
function inOneSpelling(record: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(record).map(([name, value]) => [name === 'uniqueclicks' ? 'uniqueClicks' : name, value]),
	);
}

/**
 * A record as it comes in, with its ID and its counts as numbers: some services send them as text (field notes, "Envelope and
 * types"). What is no whole number (null for a shared domain's ID, say) stays as it was sent.
 */
export function withNumbers(sent: IDataObject): IDataObject {
	const record = 'uniqueclicks' in sent ? inOneSpelling(sent) : sent;
	let numbered = record;
	for (const name of NUMBERS) {
		const value = record[name];
		if (typeof value !== 'string') continue;
		const number = wholeNumber(value, 0);
		if (number === undefined) continue;
		if (numbered === record) numbered = { ...record };
		numbered[name] = number;
	}
	return numbered;
}

/**
 * The ID of a record, or of what a creation answered, which may have it under `data` (field notes, "Envelope and types"): a
 * positive whole number. Undefined where it has none, so that it can't be referred to.
 */
export function idOf({ id, data }: { id?: unknown; data?: unknown }): number | undefined {
	return wholeNumber(id, 1) ?? (isRecord(data) ? wholeNumber(data.id, 1) : undefined);
}

/** What a creation or a change answered, as one flat record also where it stands under `data`. */
export function recordIn(body: IDataObject): IDataObject {
	const { data, ...others } = body;
	return withNumbers(isRecord(data) && body.id === undefined && 'id' in data ? { ...data, ...others } : body);
}

/** What a list says of its pages (spec, "Paged list envelope"). */
const FIGURES = new Set(['result', 'perpage', 'currentpage', 'nextpage', 'maxpage']);

/** The list's own part of a body: under `data` (spec, "Paged list envelope"), or the whole of it. */
function listPartOf(body: IDataObject, names: readonly string[]): IDataObject | undefined {
	const { data } = body;
	// A list without records may come as an empty one in place of the object.
	if (Array.isArray(data)) return { [names[0]]: data };
	// Beside the envelope, an empty one may leave nothing but the figures of its page. A bare success says nothing of a list.
	const own = Object.keys(body);
	const isBeside = (own.length > 0 && own.every((name) => FIGURES.has(name))) || names.some((name) => name in body);
	return isRecord(data) && !(isBeside && !names.some((name) => name in data)) ? data : isBeside ? body : undefined;
}

/**
 * The records of a body (spec, "Paged list envelope"): as a list or as an object with keys, under `data` or beside it. An empty
 * list may come as null, as an empty object, or not at all.
 *
 * @param collection the name under which the resource's records stand; where services differ, the one that is there counts
 * @returns undefined where the body holds no list
 */
export function recordsIn(body: unknown, collection: string | readonly string[]): IDataObject[] | undefined {
	const names = [collection].flat();
	const part = isRecord(body) ? listPartOf(body, names) : undefined;
	if (part === undefined) return undefined;
	for (const name of names) {
		const list: unknown = part[name];
		const records = Array.isArray(list) ? list : isRecord(list) ? Object.values(list) : [];
		if (records.length > 0) return records.filter(isRecord).map(withNumbers);
	}
	return [];
}

/** The figures of a page, as numbers or as text; those that are missing or garbled are undefined. */
export function figuresIn(body: IDataObject): Record<'result' | 'nextpage' | 'maxpage', number | undefined> {
	const { result, nextpage, maxpage } = isRecord(body.data) ? body.data : body;
	return {
		result: wholeNumber(result, 0),
		nextpage: wholeNumber(nextpage, 1),
		maxpage: wholeNumber(maxpage, 0),
	};
}

/** Counts by name; the service says 0 when there are none, and gives the counts of QR codes as text (spec). */
function counts(value: unknown): IDataObject {
	if (!isRecord(value)) return {};
	return Object.fromEntries(Object.entries(value).map(([name, figure]) => [name, wholeNumber(figure, 0) ?? 0]));
}

/** QR codes carry their time in `date`, also where the details of one have it in `data` (field notes, "Resources"). */
export function dateInItsPlace({ data, ...code }: IDataObject): IDataObject {
	if (data === undefined) return code;
	return code.date === undefined && typeof data === 'string' ? { ...code, date: data } : { ...code, data };
}

/** One flat record of a single-record response: details and statistics together (spec, "Short link details", "QR code"). */
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
