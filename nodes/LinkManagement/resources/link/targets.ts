import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { webUrl } from '../../fields/addresses';
import { entriesIn, listOf, rows, text } from '../../fields/rules';
import { showHint } from '../../n8n/output';
import { holdsExpression, savedParameter } from '../../n8n/parameter';
import type { Row } from '../../run/row';
import { isRecord } from '../../service/records';
import { type Field, type Rule } from '../../run/request';
import { ValueError } from '../../service/errors';
import { several, startingWithOneEntry } from '../../fields/collections';
import { textField } from '../../fields/inputs';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const TWO_LETTERS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

/** What Unicode names besides countries: groups of them, parts of them, and codes for tests. */
const NO_COUNTRIES = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '));

/** The codes that are in use, with their English names: what Unicode knows and has not replaced by another code. */
function namedCodes(type: 'language' | 'region', tagOf: (code: string) => string): Array<[code: string, name: string]> {
	const names = new Intl.DisplayNames('en', { type, fallback: 'none' });
	return TWO_LETTERS.flatMap((letters): Array<[string, string]> => {
		const tag = tagOf(letters);
		const code = tag.split('-').at(-1) ?? tag;
		const name = Intl.getCanonicalLocales(tag)[0] === tag ? names.of(code) : undefined;
		return name === undefined ? [] : [[code, name]];
	});
}

function byName(one: INodePropertyOptions, other: INodePropertyOptions): number {
	return one.name.localeCompare(other.name, 'en');
}

/** Country names as geo targeting takes them (spec: "string country name"); what the service spells otherwise is typed. */
function countries(): INodePropertyOptions[] {
	return namedCodes('region', (letters) => `und-${letters}`)
		.filter(([code]) => !NO_COUNTRIES.has(code))
		.map(([, name]) => name.replaceAll(' & ', ' and ').replace(' SAR China', ''))
		.map((name) => ({ name, value: name }))
		.sort(byName);
}

/** Language codes as language targeting takes them (spec: "string language code"). */
function languages(): INodePropertyOptions[] {
	return namedCodes('language', (letters) => letters.toLowerCase())
		.map(([code, name]) => ({ name: `${name} (${code})`, value: code }))
		.sort(byName);
}

/** Device names to choose from. The spec names none ("string device name"): what the service calls otherwise is typed. */
const DEVICES = ['Android', 'iPad', 'iPhone', 'Linux', 'Mac', 'Windows'];

/** The lists to choose from; no request is needed for them. They are loaded, so that what agents read does not hold them. */
export const targetLists = {
	loadCountries: async () => countries(),
	loadDevices: async () => DEVICES.map((name) => ({ name, value: name })),
	loadLanguages: async () => languages(),
};

/** Several names, of which each counts once: chosen from the list, or by an expression as an array, or as text with commas. */
const nameList: Rule = (value, source) => {
	const names = listOf(text)(value, source) as string[] | undefined;
	return names && [...new Set(names)];
};

/** Targets as the service takes them, one for each name; a row without an address is left out. */
function targets(name: string, label: string): Rule {
	const read = rows({ [name]: nameList, link: webUrl }, { [name]: label, link: 'Link' }, 'link');
	return (value, source) => {
		const links = new Map<string, string>();
		const entries = (read(value, source) ?? []) as Array<Record<string, unknown> & { link: string }>;
		const result = entries.flatMap(({ link, [name]: names }) =>
			(names as string[]).flatMap((one) => {
				const key = one.toLowerCase();
				const other = links.get(key);
				if (other !== undefined && other !== link)
					throw new ValueError(
						`has ${one} twice: for ${other} and for ${link}`,
						'Give each of them one address, or leave one of the rows out.',
					);
				links.set(key, link);
				return other === undefined ? [{ [name]: one, link }] : [];
			}),
		);
		return result.length === 0 ? undefined : result;
	};
}

/** One row for each address: what it applies to, and the address that those visitors get. */
export function targeting(
	{ displayName, name, description }: Pick<Field, 'displayName' | 'name' | 'description'>,
	names: Pick<Field, 'displayName' | 'name'>,
	label: string,
	loadOptionsMethod: keyof typeof targetLists,
): Field[] {
	return startingWithOneEntry({
		displayName,
		name,
		placeholder: 'Add address',
		description,
		rule: targets(names.name, label),
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		options: [
			{
				displayName: 'Targets',
				name: 'values',
				values: [
					several({ ...names, description: 'An expression may give a list' }, loadOptionsMethod),
					textField('Link', 'link', { placeholder: 'e.g. https://example.com/page' }),
				],
			},
		],
	});
}

/** The fields of targets, each with what a target applies to. */
const TARGETS = { devicetarget: 'device', geotarget: 'location', languagetarget: 'language' } as const;

/** What the targets of a field apply to, in any row. */
function namesInRows(rows: readonly Row[], field: keyof typeof TARGETS): Set<string> {
	const names = new Set<string>();
	for (const { request } of rows) {
		for (const target of (request.body[field] ?? []) as IDataObject[]) names.add(String(target[TARGETS[field]]));
	}
	return names;
}

/** Says above the items which targets get no address in any row: the column that should give it may be called otherwise. */
export async function hintEmptyTargets(rows: Row[]): Promise<void> {
	const { context } = rows[0];
	const saved = savedParameter(context, 'linkFields');
	const empty: string[] = [];
	for (const [field, part] of Object.entries(TARGETS)) {
		const group = isRecord(saved) ? saved[field] : undefined;
		const targets = isRecord(group) && Array.isArray(group.values) ? (group.values as IDataObject[]) : [];
		const there = namesInRows(rows, field as keyof typeof TARGETS);
		for (const { link, [part]: names } of targets) {
			if (!holdsExpression(link)) continue;
			const all = holdsExpression(names) ? [...there] : entriesIn(names).map(String);
			if (!all.some((name) => there.has(name))) empty.push(holdsExpression(names) ? field : all.join(', '));
		}
	}
	if (empty.length > 0) showHint(context, `No row has an address for the target ${empty.join('; ')}.`);
	await Promise.resolve();
}
