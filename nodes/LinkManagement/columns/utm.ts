/** UTM parameters, in one way: they are part of the long URL. */
import { withParameters } from '../links/url';
import type { RowRequest } from '../run/request';
import { parseUrl } from '../service/baseUrl';
import { ValueError } from '../service/errors';
import { asText } from '../service/records';

/**
 * Adds parameters to the long URL of a row. What the address has stays; `request.keptUtm` gets the names of those that differ.
 *
 * @param utm parameters by their names
 * @throws ValueError if the row has no long URL
 */
export function addUtm(request: RowRequest, utm: ReadonlyMap<string, string>): void {
	if (utm.size === 0) return;
	const { body, keptUtm = [] } = request;
	if (body.url === undefined) {
		const [[name]] = utm;
		throw new ValueError(
			`${name} is added to the long URL, and the row has none`,
			'Fill in Long URL, or leave the UTM parameters of the row empty.',
		);
	}
	const there = parseUrl(asText(body.url))?.searchParams;
	const differing = [...utm].filter(([name, value]) => there?.has(name) && there.get(name) !== value);
	request.keptUtm = [...keptUtm, ...differing.map(([name]) => name)];
	body.url = withParameters(asText(body.url), [...utm]);
}
