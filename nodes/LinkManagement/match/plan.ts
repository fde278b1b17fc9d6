import { asText } from '../api/records';
import { idOf, type LinkIndex, type LinkRecord } from './linkIndex';
import { aliasOf, hostOf, isSameUrl, urlKey } from './url';

/** What a row says of its link: fields under the names under which they go out (spec, "Body of POST /api/url/add"). */
export type LinkFields = Readonly<Record<string, unknown>>;

export interface Row {
	/** The input item, counted from 0. */
	item: number;
	fields: LinkFields;
	matching: Matching;
}

/** How a row is matched with links, and when a link that is there is updated. */
export interface Matching {
	matchOn: 'alias' | 'url';
	updateWhen: 'changed' | 'always' | 'never';
}

/** What a row asks for, as far as the links that are known tell. */
export type Step =
	| { action: 'create' }
	/** `fields` are the names of those that differ; none where the update was asked for all the same. */
	| { action: 'update'; record: LinkRecord; fields: string[] }
	| { action: 'unchanged'; record: LinkRecord }
	/** An earlier item means the same link and says something else in these fields. */
	| { action: 'conflict'; item: number; fields: string[] }
	/** The alias stands on several domains, and the row names none. */
	| { action: 'ambiguous'; alias: string; hosts: string[] };

/** A row with its step; `after` is the earlier item that makes or changes the same link, and has to be done before. */
export interface PlannedRow extends Row {
	step: Step;
	after?: number;
}

/** The names that lists give the fields of a creation. Aliases and domains tell which link is meant. */
const SHOWN_AS: Readonly<Record<string, string>> = {
	url: 'longurl',
	custom: 'alias',
	metatitle: 'title',
};

function isSame(name: string, said: unknown, shown: unknown): boolean {
	if (name === 'url') return isSameUrl(said, shown) || asText(said) === shown;
	return shown !== undefined && shown !== null && asText(said) === asText(shown);
}

/**
 * The fields in which a row differs from what a list shows of the link. A field that lists don't show counts as different. The
 * domain never does: an update can't change it, and it has told which link is meant.
 */
export function differences(fields: LinkFields, record: LinkRecord): string[] {
	return Object.entries(fields)
		.filter(([, said]) => said !== undefined)
		.filter(([name]) => name !== 'domain')
		.filter(([name, said]) => {
			const shown = name === 'custom' ? aliasOf(record) : record[SHOWN_AS[name] ?? name];
			return !isSame(name, said, shown);
		})
		.map(([name]) => name);
}

/** The fields that two rows both name and give different values. */
function contradictions(one: LinkFields, other: LinkFields): string[] {
	return Object.keys(other).filter(
		(name) => one[name] !== undefined && other[name] !== undefined && !isSame(name, one[name], other[name]),
	);
}

function aliasIn({ custom }: LinkFields): string | undefined {
	return custom === undefined ? undefined : String(custom);
}

/** Whether a row is matched by its alias, or else by its long URL. */
export function isMatchedByAlias(fields: LinkFields, matchOn: Matching['matchOn']): boolean {
	return matchOn === 'alias' && aliasIn(fields) !== undefined;
}

/** Of several links to one address: the one that the row describes best, and among equals the one that was there first. */
function best(fields: LinkFields, records: LinkRecord[]): LinkRecord | undefined {
	const alias = aliasIn(fields);
	const rank = (record: LinkRecord) => [
		alias !== undefined && aliasOf(record) === alias ? 0 : 1,
		differences(fields, record).length,
		Number(idOf(record) ?? Infinity),
	];
	return records
		.map((record) => ({ record, rank: rank(record) }))
		.sort((one, other) => {
			const at = one.rank.findIndex((figure, place) => figure !== other.rank[place]);
			return at < 0 ? 0 : one.rank[at] - other.rank[at];
		})[0]?.record;
}

/**
 * The link that a row means: by its alias, on its domain if it names one; a row without an alias, and every row where that was
 * asked for, by its long URL.
 *
 * @returns undefined when there is none; the hosts when the alias stands on several and the row names none
 */
export function linkOf(
	fields: LinkFields,
	index: Pick<LinkIndex, 'byAlias' | 'byLongUrl'>,
	matchOn: Matching['matchOn'],
): { record: LinkRecord } | { hosts: string[] } | undefined {
	const host = hostOf(fields.domain);
	if (isMatchedByAlias(fields, matchOn)) {
		const records = index.byAlias(aliasIn(fields)!, host);
		if (records.length > 1) {
			const hosts = [...new Set(records.map(({ shorturl }) => hostOf(shorturl) ?? asText(shorturl)))].sort();
			if (hosts.length > 1) return { hosts };
		}
		return records.length === 0 ? undefined : { record: records[0] };
	}
	const record = best(fields, index.byLongUrl(fields.url, host));
	return record && { record };
}

/** What to do for a row whose link is there. */
export function stepFor(fields: LinkFields, record: LinkRecord, updateWhen: Matching['updateWhen']): Step {
	const differing = differences(fields, record);
	const isWanted = updateWhen === 'always' || (updateWhen === 'changed' && differing.length > 0);
	return isWanted ? { action: 'update', record, fields: differing } : { action: 'unchanged', record };
}

/** Rows that mean the same link. */
interface Group {
	/** What a later row is held against: everything that was said of the link so far. */
	said: Record<string, unknown>;
	/** Which item said it, by field. */
	by: Map<string, number>;
	last: number;
}

/**
 * Plans a run: what each row asks for, and which rows mean the same link. Of two rows that mean the same link and say different
 * things the later one is in conflict, and nothing comes of it.
 *
 * @param rows in the order of the items
 * @returns a planned row for each, in that order
 */
export function planRows(rows: readonly Row[], index: LinkIndex): PlannedRow[] {
	const groups = new Map<string, Group>();
	return rows.map((row) => {
		const { item, fields } = row;
		const { matchOn, updateWhen } = row.matching;
		const host = hostOf(fields.domain) ?? '';
		const meant = linkOf(fields, index, matchOn);
		if (meant !== undefined && 'hosts' in meant)
			return { ...row, step: { action: 'ambiguous', alias: aliasIn(fields)!, hosts: meant.hosts } };
		const byAlias = isMatchedByAlias(fields, matchOn);
		const url = urlKey(fields.url);
		const key =
			meant !== undefined
				? `id ${String(idOf(meant.record))}`
				: byAlias
					? `alias ${host} ${aliasIn(fields)!}`
					: url === undefined
						? undefined
						: `url ${host} ${url}`;
		const group = key === undefined ? undefined : groups.get(key);
		if (group === undefined) {
			const opened: Group = {
				said: { ...fields },
				by: new Map(Object.keys(fields).map((name) => [name, item])),
				last: item,
			};
			if (key !== undefined) groups.set(key, opened);
			// A later row without an alias, for the same address, means this link too.
			const urlGroup = `url ${host} ${url}`;
			if (meant === undefined && byAlias && url !== undefined && !groups.has(urlGroup)) groups.set(urlGroup, opened);
			return { ...row, step: meant === undefined ? { action: 'create' } : stepFor(fields, meant.record, updateWhen) };
		}
		const differing = contradictions(group.said, fields);
		if (differing.length > 0)
			return { ...row, step: { action: 'conflict', item: group.by.get(differing[0])!, fields: differing } };
		for (const [name, value] of Object.entries(fields)) {
			if (group.by.has(name) || value === undefined) continue;
			group.said[name] = value;
			group.by.set(name, item);
		}
		const after = group.last;
		group.last = item;
		return {
			...row,
			after,
			step: meant === undefined ? { action: 'create' } : stepFor(fields, meant.record, updateWhen),
		};
	});
}
