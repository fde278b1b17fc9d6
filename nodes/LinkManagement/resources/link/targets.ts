import type { INodePropertyOptions } from 'n8n-workflow';

import { rows, spelled, webUrl } from '../../fields/rules';
import { isBlank } from '../../api/records';
import { ValueError, type Field, type Rule } from '../../run/request';
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

/** Countries whose names hold a comma, as ISO 3166 and many lists have them: one name each, also in a text with commas. */
const WITH_COMMAS = [
	'Bolivia, Plurinational State of',
	'Bonaire, Sint Eustatius and Saba',
	'Congo, Democratic Republic of the',
	'Congo, The Democratic Republic of the',
	'Iran, Islamic Republic of',
	"Korea, Democratic People's Republic of",
	'Korea, Republic of',
	'Macedonia, The Former Yugoslav Republic of',
	'Micronesia, Federated States of',
	'Moldova, Republic of',
	'Palestine, State of',
	'Saint Helena, Ascension and Tristan da Cunha',
	'Taiwan, Province of China',
	'Tanzania, United Republic of',
	'Venezuela, Bolivarian Republic of',
	'Virgin Islands, British',
	'Virgin Islands, U.S.',
].map((name) => name.toLowerCase());

/** The names in a text with commas between them. */
function namesIn(text: string): string[] {
	const parts = text.split(',').map((part) => part.trim());
	const names: string[] = [];
	while (parts.length > 0) {
		const isOne = (length: number) => WITH_COMMAS.includes(parts.slice(0, length).join(', ').toLowerCase());
		names.push(parts.splice(0, isOne(2) ? 2 : 1).join(', '));
	}
	return names.filter((name) => name !== '');
}

/** Several names: chosen from the list, or by an expression as an array, each of whose entries is one, or as text. */
const nameList: Rule = (value) => {
	const names = Array.isArray(value)
		? value.filter((entry) => !isBlank(entry)).map((entry) => spelled(entry))
		: namesIn(spelled(value));
	if (names.length === 0) throw new ValueError('is empty', 'Choose at least one, or remove the row.');
	return [...new Set(names)];
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
