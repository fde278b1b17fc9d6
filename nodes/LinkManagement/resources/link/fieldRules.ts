import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { addUtm } from '../../columns/utm';
import { redirections } from '../../fields/locators';
import { chosen, enteredId, quoted, valueParser, visibleText } from '../../fields/parsers';
import { emptyOf, fieldsThat } from '../../links/linkFields';
import { holdsExpression, savedParameter } from '../../n8n/parameter';
import type { Parser, RowRequest } from '../../run/request';
import { ValueError } from '../../service/answer/errors';
import { asText, isRecord } from '../../service/records';

/** `deeplink` with the keys of the two app stores (field notes, "Resources"; the spec does not show their names). */
export function deepLink({ auto, ios, android }: IDataObject): IDataObject | undefined {
	// Off and without addresses: the field was added but not filled.
	if (auto !== true && ios === undefined && android === undefined) return undefined;
	const entries = Object.entries({ auto, apple: ios, google: android }).filter(([, value]) => value !== undefined);
	return Object.fromEntries(entries) as IDataObject;
}

/** UTM parameters under their own names. */
export function utmParameters(entered: IDataObject): IDataObject | undefined {
	const named = Object.entries(entered).map(([name, value]) => [`utm_${name}`, value] as const);
	return named.length === 0 ? undefined : Object.fromEntries(named);
}

/** Redirection types of other services. */
const HTTP_STATUS = /^30[12378]$/;

/** A redirection type: a word of the spec, the ID of a splash page, or `overlay-<id>` (field notes, "Resources"). IDs are sent as text. */
export const redirection: Parser = valueParser((value) => {
	const word = chosen(redirections, value);
	if (word !== undefined) return word;
	if (HTTP_STATUS.test(visibleText(value))) {
		throw new ValueError(
			`is an HTTP status: ${quoted(value)}`,
			'Here it says how the page is opened: direct, frame, splash or the ID of a splash page. The service chooses the status.',
		);
	}
	const overlay = /^overlay-\s*(\S+)$/i.exec(visibleText(value))?.[1];
	const page = enteredId(overlay ?? value);
	if (page !== undefined) return overlay === undefined ? String(page) : `overlay-${page}`;
	throw new ValueError(
		`is none of direct, frame and splash, nor the ID of a splash page, nor overlay- with an ID: ${quoted(value)}`,
		{
			editor:
				'Choose from the list, or enter the ID of a splash page, such as 12, or of an overlay, such as overlay-12.',
			model: 'Pass one of these words, the ID of a splash page, such as 12, or of an overlay, such as overlay-12.',
		},
	);
});

const clearable = fieldsThat(({ isClearable }) => isClearable === true);

/**
 * Clears fields with empty cells, if the option says so, and those of Additional Fields whose expressions gave nothing. What a model
 * leaves out is not cleared.
 */
export function clearEmpty(
	{ body, emptyFields, options, isByModel }: RowRequest,
	context: IExecuteSingleFunctions,
): void {
	if (options.emptyCells !== 'clear' || isByModel) return;
	const saved = savedParameter(context, 'linkFields');
	const expressions = isRecord(saved) ? Object.keys(saved).filter((name) => holdsExpression(saved[name])) : [];
	const empty = new Set([...emptyFields, ...expressions]);
	for (const name of clearable.filter((one) => empty.has(one))) body[name] ??= emptyOf(name);
}

/** Adds the UTM parameters of the fields to the long URL. @throws ValueError if there is none */
export function addUtmFields(request: RowRequest): void {
	const { utm } = request.body;
	delete request.body.utm;
	addUtm(request, new Map(Object.entries(isRecord(utm) ? utm : {}).map(([name, value]) => [name, asText(value)])));
}
