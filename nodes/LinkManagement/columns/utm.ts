/** UTM parameters, in one way: they are part of the long URL. */
import type { RowRequest } from '../run/request';
import { parseUrl } from '../service/baseUrl';
import { ValueError } from '../service/answer/errors';
import { asText } from '../service/records';

/** Adds parameters, names and values, to the query of an address, as far as it has none of that name. */
function withParameters(address: string, parameters: ReadonlyArray<readonly [string, string]>): string {
	const there = parseUrl(address)?.searchParams;
	const added = parameters.filter(([name]) => there?.has(name) !== true);
	if (added.length === 0) return address;
	const [base, ...fragment] = address.split('#');
	const query = added.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
	// A value may end with a question mark of its own.
	const sign = !base.includes('?') ? '?' : /&$|^[^?]*\?$/.test(base) ? '' : '&';
	return [`${base}${sign}${query}`, ...fragment].join('#');
}

/**
 * Adds parameters to the long URL of a row. What the address has stays.
 *
 * @param utm parameters by their names
 * @throws ValueError if the row has no long URL
 */
export function addUtm(request: RowRequest, utm: ReadonlyMap<string, string>): void {
	if (utm.size === 0) return;
	const { body } = request;
	if (body.url === undefined) {
		const [[name]] = utm;
		throw new ValueError(
			`${name} is added to the long URL, and the row has none`,
			'Fill in Long URL, or leave the UTM parameters of the row empty.',
		);
	}
	body.url = withParameters(asText(body.url), [...utm]);
}
