import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { fullUrl } from '../../fields/addresses';
import { redirections } from '../../fields/locators';
import { asId, chosen, flag, quoted, single, spelled, text } from '../../fields/rules';
import { isBlank, isRecord } from '../../service/records';
import { holdsExpression, savedParameter } from '../../n8n/parameter';
import { isTool } from '../../n8n/lifetimes';
import { named, valueOf, type ItemRequest, type Rule, type Source } from '../../run/request';
import { ValueError } from '../../service/errors';

/** The keys of the two app stores in `deeplink` (field notes, "Resources"; the spec does not show their names). */
const STORE_KEYS = { ios: 'apple', android: 'google' } as const;

/** What was entered into a group that is there once (`{ value: {…} }`); an expression may give its fields alone. */
function groupIn(value: unknown): IDataObject | undefined {
	const group = isRecord(value) && isRecord(value.value) ? value.value : value;
	return isRecord(group) ? group : undefined;
}

/** A field of such a group, checked; undefined where nothing was entered. */
function readField(group: IDataObject, name: string, label: string, rule: Rule, source: Source): unknown {
	const given = valueOf(group[name]);
	return isBlank(given) ? undefined : named(`→ ${label}`, () => rule(given, source));
}

/** `deeplink.value` as the service wants it. */
export const deepLink: Rule = (value, source) => {
	const group = groupIn(value);
	if (group === undefined) return undefined;
	const keys = {
		auto: readField(group, 'auto', 'From Long URL', flag, source),
		[STORE_KEYS.ios]: readField(group, 'ios', 'App Store URL', fullUrl, source),
		[STORE_KEYS.android]: readField(group, 'android', 'Google Play URL', fullUrl, source),
	};
	const filled = Object.entries(keys).filter(([, given]) => given !== undefined);
	// Off, and no address: the field was added and left as it was.
	return filled.every(([, given]) => given === false) ? undefined : Object.fromEntries(filled);
};

const UTM_FIELDS = { source: 'Source', medium: 'Medium', campaign: 'Campaign', term: 'Term', content: 'Content' };

/** `utm.value` as rows of `parameters`, among which they go out. */
export const utm: Rule = (value, source) => {
	const group = groupIn(value) ?? {};
	const entries = Object.entries(UTM_FIELDS).flatMap(([name, label]) => {
		const given = readField(group, name, label, text, source);
		return given === undefined ? [] : [{ name: `utm_${name}`, value: given }];
	});
	return entries.length === 0 ? undefined : entries;
};

/**
 * Redirection type: a word of the spec, the ID of a splash page, or `overlay-<id>` (field notes, "Resources"). IDs go out as text.
 */
export const redirection: Rule = single((value) => {
	const word = chosen(redirections, value);
	if (word !== undefined) return word;
	const overlay = /^overlay-\s*(\S+)$/i.exec(spelled(value))?.[1];
	const page = asId(overlay ?? value);
	if (page !== undefined) return overlay === undefined ? String(page) : `overlay-${page}`;
	throw new ValueError(
		`is none of direct, frame and splash, nor the ID of a splash page, nor overlay- with an ID: ${quoted(value)}`,
		'Choose from the list, or enter the ID of a splash page, such as 12, or of an overlay, such as overlay-12.',
	);
});

/** The fields that a link can be without, and that an update can empty. */
export const CLEARABLE = new Set([
	...['description', 'expiry', 'metadescription', 'metaimage', 'password', 'pixels', 'deeplink', 'parameters'],
	...['geotarget', 'devicetarget', 'languagetarget'],
]);

/**
 * Notes which fields a row empties, where that was asked for: those whose cells are empty, and those of Additional or Update Fields
 * whose expressions gave nothing. What a model leaves out is not emptied.
 */
export function noteCleared(request: ItemRequest, context: IExecuteSingleFunctions): void {
	const { body, options, cleared = [] } = request;
	delete request.cleared;
	if ((options.emptyCells ?? options.emptyFields) !== 'clear' || isTool(context)) return;
	const saved = savedParameter(context, 'linkFields');
	const expressions = isRecord(saved) ? Object.keys(saved).filter((name) => holdsExpression(saved[name])) : [];
	const empty = expressions.map((name) => (name === 'utm' ? 'parameters' : name)).filter((name) => CLEARABLE.has(name));
	request.cleared = [...new Set([...cleared, ...empty])].filter((name) => body[name] === undefined);
}

/**
 * Puts the UTM parameters among the others, where they go out.
 *
 * @throws ValueError where one of them stands in both fields
 */
export function joinParameters(body: IDataObject): void {
	const named = body.utm as IDataObject[] | undefined;
	const others = (body.parameters ?? []) as IDataObject[];
	if (named === undefined) return;
	const twice = named.find(({ name }) => others.some((other) => other.name === name));
	if (twice !== undefined)
		throw new ValueError(
			`URL Parameters has ${quoted(twice.name)}, which UTM Parameters has too`,
			'Remove one of the two.',
		);
	delete body.utm;
	body.parameters = [...named, ...others];
}

/**
 * Spec, body of POST /api/url/add: "Device targeting must also be set when deep links are used."
 *
 * @param body what is to be sent
 * @throws ValueError
 */
export function deepLinkHasTargets(body: IDataObject): void {
	if (!isBlank(body.deeplink) && isBlank(body.devicetarget)) {
		throw new ValueError(
			'Deep Link needs Device Targeting',
			'Add the field Device Targeting too: the service wants both together.',
		);
	}
}
