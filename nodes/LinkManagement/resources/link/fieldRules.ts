import type { IDataObject } from 'n8n-workflow';

import { asId, flag, quoted, spelled, text, webUrl } from '../../fields/rules';
import { isBlank, isRecord } from '../../api/records';
import { named, ValueError, valueOf, type Rule, type Source } from '../../run/request';

/** Redirection types that need no ID, as the spec names them. */
export const redirections = [
	{ name: 'Direct', value: 'direct' },
	{ name: 'Frame', value: 'frame' },
	{ name: 'Splash', value: 'splash' },
];

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
		[STORE_KEYS.ios]: readField(group, 'ios', 'App Store URL', webUrl, source),
		[STORE_KEYS.android]: readField(group, 'android', 'Google Play URL', webUrl, source),
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
export const redirection: Rule = (value) => {
	if (value === undefined) return undefined;
	const word = spelled(value);
	if (redirections.some((one) => one.value === word)) return word;
	const overlay = /^overlay-\s*(\S+)$/i.exec(word)?.[1];
	const page = asId(overlay ?? value);
	if (page !== undefined) return overlay === undefined ? String(page) : `overlay-${page}`;
	throw new ValueError(
		`is none of direct, frame and splash, nor the ID of a splash page, nor overlay- with an ID: ${quoted(value)}`,
		'Choose from the list, or enter the ID of a splash page, such as 12, or of an overlay, such as overlay-12.',
	);
};

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
	if (body.deeplink !== undefined && body.devicetarget === undefined) {
		throw new ValueError(
			'Deep Link needs Device Targeting',
			'Add the field Device Targeting too: the service wants both together.',
		);
	}
}
