import { listSearch, type Entry } from '../../execution/listSearch';

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

function byName(one: Entry, other: Entry): number {
	return one.name.localeCompare(other.name, 'en');
}

/** Country names as geo targeting takes them (spec: "string country name"); what the service spells otherwise is typed. */
function countries(): Entry[] {
	return namedCodes('region', (letters) => `und-${letters}`)
		.filter(([code]) => !NO_COUNTRIES.has(code))
		.map(([, spelled]) => spelled.replaceAll(' & ', ' and ').replace(' SAR China', ''))
		.map((name) => ({ name, value: name }))
		.sort(byName);
}

/** Language codes as language targeting takes them (spec: "string language code"). */
function languages(): Entry[] {
	return namedCodes('language', (letters) => letters.toLowerCase())
		.map(([code, name]) => ({ name: `${name} (${code})`, value: code }))
		.sort(byName);
}

/** Device names to choose from. The spec names none ("string device name"): what the service calls otherwise is typed. */
const DEVICES = ['Android', 'iPad', 'iPhone', 'Linux', 'Mac', 'Windows'];

function devices(): Entry[] {
	return DEVICES.map((name) => ({ name, value: name }));
}

/** The lists for a dropdown; no request is needed for them. */
export const searchCountries = listSearch(countries);
export const searchDevices = listSearch(devices);
export const searchLanguages = listSearch(languages);
