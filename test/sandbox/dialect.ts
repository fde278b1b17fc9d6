import { ACCESS } from './deviations/access';
import { ENVELOPE } from './deviations/envelope';
import type { Deviation } from './deviations/kinds';
import { LINKS } from './deviations/links';
import { LISTS } from './deviations/lists';
import { OTHERS } from './deviations/others';
import type { LimitSettings } from './limit';

/** What the service speaks: as its document says, or as deployed services were seen to. */
export type Dialect = 'document' | 'field';

export const DIALECTS: readonly Dialect[] = ['document', 'field'];

/** Everything in which deployed services differ from the document or from each other, each once. */
export const DEVIATIONS = { ...ACCESS, ...ENVELOPE, ...LISTS, ...LINKS, ...OTHERS };

export type DeviationName = keyof typeof DEVIATIONS;

/** How a service answers: each deviation's value. */
export type Behavior = { [Name in DeviationName]: (typeof DEVIATIONS)[Name]['choices'][number] };

export const DEVIATION_NAMES = Object.keys(DEVIATIONS) as DeviationName[];

/** The document's service. */
export const DOCUMENT = Object.fromEntries(
	DEVIATION_NAMES.map((name) => [name, DEVIATIONS[name].choices[0]]),
) as Behavior;

/**
 * In what deployed services were seen to differ from it. Where one of them only may differ, the value is the one that asks more of
 * a client, unless nobody could work with it.
 */
const FIELD: Partial<Behavior> = {
	refusal: 'status200',
	window: 'wholeSeconds',
	authStatus: 403,
	success: 'inTurn',
	failure: 'inTurn',
	createdStatus: 201,
	numbersAsText: 'everywhere',
	pageCap: null,
	toldPageSize: 'asked',
	overlayCollection: 'overlay',
	sharedDomains: 2,
	moreFields: true,
	knownLongUrl: 'returned',
	unknownDomain: 'replaced',
	shortLinksElsewhere: true,
	overlayTarget: 'prefixed',
	statesInLocation: true,
	nullDevice: true,
	linkUpdate: 'resets',
	linkUpdateReply: 'short',
	campaignNameIn: 'campaign',
	capitalNames: true,
	uniqueNames: true,
	shortestName: 2,
	channelUpdateReply: 'channel',
	wrongQrData: 'page',
	qrTypes: 'more',
	qrLink: 'storedPicture',
	qrDateInData: true,
	qrStatistics: 'links',
	qrUpdateType: 'ignored',
};

/** The values that a dialect gives all deviations. */
export function behaviorOf(dialect: Dialect): Behavior {
	return dialect === 'document' ? { ...DOCUMENT } : { ...DOCUMENT, ...FIELD };
}

/** The dialect whose forms the answers keep: the document's as long as nothing deviates from it. */
export function dialectOf(behavior: Behavior): Dialect {
	return DEVIATION_NAMES.every((name) => behavior[name] === DOCUMENT[name]) ? 'document' : 'field';
}

/** What the deviations make of the request budget. */
export function limitOf({ window, noRateLimitHeaders, unlimited }: Behavior): Partial<LimitSettings> {
	const wholeSeconds = window === 'wholeSeconds';
	return {
		begin: wholeSeconds ? 'firstRequest' : 'aligned',
		wholeSeconds,
		headers: !noRateLimitHeaders,
		...(unlimited ? { requests: null } : {}),
	};
}

/** Reads a deviation's value from the command line. @throws Error when it is none */
function valueFrom(text: string, { choices }: Deviation<unknown>): unknown {
	const [document] = choices;
	if (document === null || typeof document === 'number') {
		if (text === 'none') return null;
		if (!/^\d+$/.test(text)) throw new Error('must be a whole number, or none');
		return Number(text);
	}
	const found = choices.find((choice) => String(choice) === text);
	if (found === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
	return found;
}

/** Reads `name=value` pairs. @throws Error that says what is wrong with a name or a value */
export function readDeviations(settings: string[]): Partial<Behavior> {
	return Object.fromEntries(
		settings.map((setting) => {
			const [name, value = 'true'] = setting.split('=');
			const deviation = (DEVIATIONS as Record<string, Deviation<unknown>>)[name];
			if (deviation === undefined) throw new Error(`There is no deviation ${name}: see --list`);
			try {
				return [name, valueFrom(value, deviation)];
			} catch (error) {
				throw new Error(`${name} ${(error as Error).message}`);
			}
		}),
	);
}

/** The table of deviations as text, for the command line. */
export function describeDeviations(): string {
	const [document, field] = DIALECTS.map(behaviorOf);
	return DEVIATION_NAMES.map((name) => {
		const { says, values = {} }: Deviation<unknown> = DEVIATIONS[name];
		const choices = Object.entries(values).map(([value, meaning]) => `\n      ${value}: ${meaning}`);
		return `  ${name} (document: ${String(document[name] ?? 'none')}, field: ${String(field[name] ?? 'none')})\n    ${says}.${choices.join('')}\n`;
	}).join('');
}
