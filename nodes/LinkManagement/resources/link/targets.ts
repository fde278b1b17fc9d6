/** Targets: other addresses for visitors from some countries, with some devices or languages. */
import { webUrl } from '../../fields/addresses';
import { groupRepeated, several } from '../../fields/collections';
import { textField } from '../../fields/inputs';
import { checkCount, listOf, plainText, rowsOf, text, valueParser } from '../../fields/parsers';
import { labelOf } from '../../links/linkFields';
import type { ParsedField, Parser } from '../../run/request';
import data from './data/targets.json';

const countries: Readonly<Record<string, string>> = data.countries;

/** The lists to choose from; they need no request. They are loaded so that the definition for agents does not contain them. */
export const targetLists = {
	loadCountries: async () => Object.values(countries).map((name) => ({ name, value: name })),
	loadDevices: async () => data.devices.map((name) => ({ name, value: name })),
	loadLanguages: async () =>
		Object.entries(data.languages).map(([value, name]) => ({ name: `${name} (${value})`, value })),
};

/** A country by its name, or by its code (spec: "string country name"). Other names go out: services may know them. */
const countryName: Parser<string> = valueParser((value) => {
	const name = plainText(value);
	return countries[name.toUpperCase()] ?? name;
});

/** What a target applies to: the service's name, the editor's plural, the list, the label of its address, and how it is read. */
const PARTS = {
	devicetarget: ['device', 'Devices', 'loadDevices', "Device's URL", text],
	geotarget: ['location', 'Countries', 'loadCountries', "Country's URL", countryName],
	languagetarget: ['language', 'Languages', 'loadLanguages', "Language's URL", text],
} as const;

/** Targets in the service's form: one for each name, as given. */
function targetsOf(part: string, values: ParsedField[]): Parser {
	const read = rowsOf(values);
	return (given, origin) => {
		const targets = (read(given, origin) ?? []).flatMap(({ link, [part]: names }) =>
			(names as string[]).map((name) => ({ [part]: name, link })),
		);
		checkCount(targets, 'targets');
		return targets.length === 0 ? undefined : targets;
	};
}

/** A field for targets: each row says who gets which address. Rows without an address are left out. */
export function targeting(name: keyof typeof PARTS): ParsedField {
	const [part, label, list, addressLabel, parser] = PARTS[name];
	const description = 'Choose from the list, or use an expression';
	const values = [
		several({ displayName: label, name: part, description, parser: listOf(parser) }, list),
		textField(addressLabel, 'link', { placeholder: 'e.g. https://example.com/page', parser: webUrl }),
	];
	return groupRepeated({ displayName: labelOf(name), name }, 'Target', values, targetsOf(part, values));
}
