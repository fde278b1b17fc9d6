import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { redirections } from '../../fields/locators';
import { asId, chosen, quoted, valueParser, visibleText } from '../../fields/parsers';
import { emptyOf, fieldsThat } from '../../links/linkFields';
import { isRecord } from '../../service/records';
import { holdsExpression, savedParameter } from '../../n8n/parameter';
import { yielding } from '../../n8n/slices';
import { isTool } from '../../n8n/lifetimes';
import type { RowRequest, Parser } from '../../run/request';
import type { ConnectedRow } from '../../run/row';
import { parseUrl } from '../../service/baseUrl';
import { ValueError } from '../../service/errors';

/** `deeplink` with the keys of the two app stores (field notes, "Resources"; the spec does not show their names). */
export function deepLink({ auto, ios, android }: IDataObject): IDataObject | undefined {
	// Off and without addresses: the field was added but not filled.
	if (auto !== true && ios === undefined && android === undefined) return undefined;
	const entries = Object.entries({ auto, apple: ios, google: android }).filter(([, value]) => value !== undefined);
	return Object.fromEntries(entries) as IDataObject;
}

/** UTM parameters as rows of `parameters`. */
export function utmParameters(entered: IDataObject): IDataObject[] | undefined {
	const rows = Object.entries(entered).map(([name, value]) => ({ name: `utm_${name}`, value }));
	return rows.length === 0 ? undefined : rows;
}

/** Redirection types of other services. */
const HTTP_STATUS = /^30[12378]$/;

/** A redirection type: a word of the spec, the ID of a splash page, or `overlay-<id>` (field notes, "Resources"). IDs are sent as text. */
export const redirection: Parser = valueParser((value, { mode }) => {
	const word = chosen(redirections, value);
	if (word !== undefined) return word;
	if ((mode === 'column' || mode === 'mapped') && HTTP_STATUS.test(visibleText(value))) {
		throw new ValueError(
			`is an HTTP status: ${quoted(value)}`,
			'Here it says how the page is opened: direct, frame, splash or the ID of a splash page. The service chooses the status.',
		);
	}
	const overlay = /^overlay-\s*(\S+)$/i.exec(visibleText(value))?.[1];
	const page = asId(overlay ?? value);
	if (page !== undefined) return overlay === undefined ? String(page) : `overlay-${page}`;
	throw new ValueError(
		`is none of direct, frame and splash, nor the ID of a splash page, nor overlay- with an ID: ${quoted(value)}`,
		'Choose from the list, or enter the ID of a splash page, such as 12, or of an overlay, such as overlay-12.',
	);
});

const clearable = fieldsThat(({ isClearable }) => isClearable === true);

/**
 * Clears fields, if the option says so: those with empty cells, and those of Additional or Update Fields whose expressions gave nothing.
 * What a model leaves out is not cleared.
 *
 * @param emptyCells gives the fields with empty cells
 */
export function clearEmpty(
	{ body, options }: RowRequest,
	context: IExecuteSingleFunctions,
	emptyCells: (context: IExecuteSingleFunctions) => string[] = () => [],
): void {
	if ((options.emptyCells ?? options.emptyFields) !== 'clear' || isTool(context)) return;
	const saved = savedParameter(context, 'linkFields');
	const expressions = isRecord(saved) ? Object.keys(saved).filter((name) => holdsExpression(saved[name])) : [];
	const empty = new Set([...emptyCells(context), ...expressions].map((name) => (name === 'utm' ? 'parameters' : name)));
	for (const name of clearable.filter((one) => empty.has(one))) body[name] ??= emptyOf(name);
}

/** Adds the UTM parameters to the others. @throws ValueError if one of them is in both fields */
export function joinParameters(body: IDataObject): void {
	const { utm, parameters = [] } = body as Record<string, IDataObject[] | undefined>;
	if (utm === undefined) return;
	const twice = utm.find(({ name }) => parameters.some((other) => other.name === name));
	if (twice !== undefined) {
		const problem = `URL Parameters has ${quoted(twice.name)}, which UTM Parameters has too`;
		throw new ValueError(problem, 'Remove one of the two.');
	}
	delete body.utm;
	body.parameters = [...utm, ...parameters];
}

/** Adds a hint if the long URL of a row already has some of its parameters: the service adds them again. */
export async function hintRepeatedParameters(rows: ConnectedRow[]): Promise<void> {
	const repeated = new Set<string>();
	const labels: string[] = [];
	for await (const { request, label } of yielding(rows)) {
		const { url, parameters = [] } = request.body as { url?: string; parameters?: IDataObject[] };
		const there = url?.includes('?') ? parseUrl(url)?.searchParams : undefined;
		const twice = parameters.map(({ name }) => String(name)).filter((name) => there?.has(name));
		for (const name of twice) repeated.add(name);
		if (twice.length > 0) labels.push(label);
	}
	if (labels.length === 0) return;
	const more = labels.length > 1 ? ` and ${labels.length - 1} more` : '';
	const names = [...repeated].join(', ');
	const hint = `The long URL of ${labels[0]}${more} already has ${names}. The service would add them a second time. Remove them from one of the two.`;
	rows[0].atEnd('repeated parameters', () => hint);
}
