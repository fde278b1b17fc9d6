import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { webUrl } from '../../fields/addresses';
import { groupRepeated, several } from '../../fields/collections';
import { textField } from '../../fields/inputs';
import { checkCount } from '../../fields/lengths';
import { listOf, plainText, quoted, rowsOf, text, valueParser } from '../../fields/parsers';
import { labelOf } from '../../links/linkFields';
import type { Field, ParsedField, Parser } from '../../run/request';
import { ValueError } from '../../service/answer/errors';
import { asText } from '../../service/records';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const TWO_LETTERS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

/** Codes of Unicode that are not countries: groups and parts of them, and codes for tests. */
const NO_COUNTRIES = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '));

/**
 * Choices for current codes of Unicode, with their English names.
 *
 * @param candidates letters that may be codes
 * @param tagOf the language tag of two letters, which ends with the code
 */
function codes(
	type: 'language' | 'region',
	candidates: readonly string[],
	tagOf: (letters: string) => string,
	choice: (name: string, code: string) => INodePropertyOptions,
): INodePropertyOptions[] {
	const names = new Intl.DisplayNames('en', { type, fallback: 'none' });
	const inUse = candidates.flatMap((letters) => {
		const tag = tagOf(letters);
		const code = tag.slice(-2);
		const name = Intl.getCanonicalLocales(tag)[0] === tag && !NO_COUNTRIES.has(code) ? names.of(code) : undefined;
		return name === undefined ? [] : [choice(name, code)];
	});
	return inUse.sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

/** Country names for geo targeting (spec: "string country name"); other spellings can be typed. */
function country(fullName: string): INodePropertyOptions {
	const name = fullName.replaceAll(' & ', ' and ').replace(' SAR China', '');
	return { name, value: name };
}

/** Language codes for language targeting (spec: "string language code"). */
function language(name: string, code: string): INodePropertyOptions {
	return { name: `${name} (${code})`, value: code };
}

/** Device names. The spec names none ("string device name"); others can be typed. */
const DEVICES = ['Android', 'iPad', 'iPhone', 'Linux', 'Mac', 'Windows'];

/** The lists to choose from; they need no request. They are loaded so that the definition for agents does not contain them. */
export const targetLists = {
	loadCountries: async () => codes('region', TWO_LETTERS, (letters) => `und-${letters}`, country),
	loadDevices: async () => DEVICES.map((name) => ({ name, value: name })),
	loadLanguages: async () => codes('language', TWO_LETTERS, (letters) => letters.toLowerCase(), language),
};

/** Codes that people use besides those of Unicode. */
const OTHER_CODES: Record<string, string> = { UK: 'GB', USA: 'US', UAE: 'AE' };
/** Areas that services take for no country. */
const AREAS =
	/^(?:africa|(?:north |south |latin )?america|asia|emea|(?:the )?eu|europe|european union|oceania|world(?:wide)?)$/i;

/** A country by its name, or by its code. Other names go out: services may know them. */
const countryName: Parser<string> = valueParser((value) => {
	const name = plainText(value);
	const letters = OTHER_CODES[name.toUpperCase()] ?? name.toUpperCase();
	const [known] = /^[A-Z]{2}$/.test(letters) ? codes('region', [letters], (code) => `und-${code}`, country) : [];
	if (known !== undefined) return String(known.value);
	if (!AREAS.test(name)) return name;
	throw new ValueError(`is no country: ${quoted(name)}`, 'Name each of its countries, such as Germany, France.');
});

/** What a target applies to: the service's name, the editor's plural, the list, the label of its address, and how it is read. */
const PARTS = {
	devicetarget: ['device', 'Devices', 'loadDevices', "Device's URL", text],
	geotarget: ['location', 'Countries', 'loadCountries', "Country's URL", countryName],
	languagetarget: ['language', 'Languages', 'loadLanguages', "Language's URL", text],
} as const;

/** Targets in the service's form: one for each name, without regard to case. */
function targetsOf(part: string, values: ParsedField[]): Parser<IDataObject[]> {
	const read = rowsOf(values);
	return (given, origin) => {
		const targets = new Map<string, IDataObject>();
		for (const { link, [part]: names } of read(given, origin) ?? []) {
			checkCount([...targets, ...(names as string[])], 'targets');
			for (const name of names as string[]) {
				const key = name.toLowerCase();
				const other = targets.get(key);
				if (other === undefined) targets.set(key, { [part]: name, link });
				else if (other.link !== link) {
					throw new ValueError(
						`has ${name} twice: for ${asText(other.link)} and for ${asText(link)}`,
						'Give each of them one address, or leave one of the rows out.',
					);
				}
			}
		}
		return targets.size === 0 ? undefined : [...targets.values()];
	};
}

/** A field for targets: each row says who gets which address. Rows without an address are left out. */
export function targeting(name: keyof typeof PARTS): Field[] {
	const [part, label, list, addressLabel, parser] = PARTS[name];
	const values = [
		several(
			{
				displayName: label,
				name: part,
				description: 'Choose from the list, or use an expression',
				parser: listOf(parser),
			},
			list,
		),
		textField(addressLabel, 'link', { placeholder: 'e.g. https://example.com/page', parser: webUrl }),
	];
	return groupRepeated({ displayName: labelOf(name), name }, 'Target', values, targetsOf(part, values));
}
