import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { webUrl } from '../../fields/addresses';
import { groupRepeated, several } from '../../fields/collections';
import { textField } from '../../fields/inputs';
import { listOf, rowsOf, text } from '../../fields/parsers';
import { labelOf } from '../../links/linkFields';
import type { Field, Parser, ParsedField } from '../../run/request';
import { ValueError } from '../../service/errors';
import { asText } from '../../service/records';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const TWO_LETTERS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

/** What Unicode names besides countries: groups of them, parts of them, and codes for tests. */
const NO_COUNTRIES = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '));

/**
 * Choices for the codes that are in use, by their English names: what Unicode knows and has not replaced by another code.
 *
 * @param tagOf the language tag of two letters, which ends with the code
 */
function codes(
	type: 'language' | 'region',
	tagOf: (letters: string) => string,
	choice: (name: string, code: string) => INodePropertyOptions,
): INodePropertyOptions[] {
	const names = new Intl.DisplayNames('en', { type, fallback: 'none' });
	const inUse = TWO_LETTERS.flatMap((letters) => {
		const tag = tagOf(letters);
		const code = tag.slice(-2);
		const name = Intl.getCanonicalLocales(tag)[0] === tag && !NO_COUNTRIES.has(code) ? names.of(code) : undefined;
		return name === undefined ? [] : [choice(name, code)];
	});
	return inUse.sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

/** Country names as geo targeting takes them (spec: "string country name"); what the service spells otherwise is typed. */
function country(fullName: string): INodePropertyOptions {
	const name = fullName.replaceAll(' & ', ' and ').replace(' SAR China', '');
	return { name, value: name };
}

/** Language codes as language targeting takes them (spec: "string language code"). */
function language(name: string, code: string): INodePropertyOptions {
	return { name: `${name} (${code})`, value: code };
}

/** Device names to choose from. The spec names none ("string device name"): what the service calls otherwise is typed. */
const DEVICES = ['Android', 'iPad', 'iPhone', 'Linux', 'Mac', 'Windows'];

/** The lists to choose from; no request is needed for them. They are loaded, so that what agents read does not hold them. */
export const targetLists = {
	loadCountries: async () => codes('region', (letters) => `und-${letters}`, country),
	loadDevices: async () => DEVICES.map((name) => ({ name, value: name })),
	loadLanguages: async () => codes('language', (letters) => letters.toLowerCase(), language),
};

/** What the targets of a field apply to: the service's name for it, how the editor calls several, and their list. */
const PARTS = {
	devicetarget: ['device', 'Devices', 'loadDevices'],
	geotarget: ['location', 'Countries', 'loadCountries'],
	languagetarget: ['language', 'Languages', 'loadLanguages'],
} as const;

/** Targets as the service takes them: one for each name, whatever its case. */
function targetsOf(part: string, values: ParsedField[]): Parser<IDataObject[]> {
	const read = rowsOf(values);
	return (given, source) => {
		const targets = new Map<string, IDataObject>();
		for (const { link, [part]: names } of read(given, source) ?? []) {
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

/** One row for each address: what it applies to, and the address that those visitors get. A row without an address is left out. */
export function targeting(name: keyof typeof PARTS): Field[] {
	const [part, label, list] = PARTS[name];
	const values = [
		several({ displayName: label, name: part, description: 'Or an expression', parser: listOf(text) }, list),
		textField('Target URL', 'link', { placeholder: 'e.g. https://example.com/page', parser: webUrl }),
	];
	return groupRepeated({ displayName: labelOf(name), name }, 'Target', values, targetsOf(part, values));
}
