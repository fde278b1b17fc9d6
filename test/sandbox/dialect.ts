import type { LimitSettings } from './limit';

/** What the service speaks: as its document says, or as deployed services were seen to. */
export type Dialect = 'document' | 'field';

export const DIALECTS: readonly Dialect[] = ['document', 'field'];

/** One thing in which services differ, and its value in each dialect. */
interface Deviation<T> {
	says: string;
	document: T;
	field: T;
	/** What each value means, where there is a choice of words. */
	values?: Record<string, string>;
	/** Reads the value from the command line. @throws Error when it is none */
	read(text: string): T;
}

function yesOrNo(says: string, { document = false, field = true } = {}): Deviation<boolean> {
	return { says, document, field, read: (text) => choice(text, ['true', 'false']) === 'true' };
}

function oneOf<T extends string>(
	says: string,
	dialects: { document: NoInfer<T>; field: NoInfer<T> },
	values: Record<T, string>,
): Deviation<T> {
	return { says, ...dialects, values, read: (text) => choice(text, Object.keys(values) as T[]) };
}

function wholeNumber(says: string, dialects: { document: number; field: number }): Deviation<number>;
function wholeNumber(
	says: string,
	dialects: { document: number | null; field: number | null },
): Deviation<number | null>;
function wholeNumber(says: string, dialects: { document: number | null; field: number | null }) {
	const read = (text: string) => {
		if (text === 'none') return null;
		if (!/^\d+$/.test(text)) throw new Error('must be a whole number, or none');
		return Number(text);
	};
	return { says, ...dialects, read };
}

function choice<T extends string>(text: string, choices: readonly T[]): T {
	const found = choices.find((entry) => entry === text);
	if (found === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
	return found;
}

/**
 * Everything in which deployed services differ from the document or from each other, each once: its name, what differs,
 * and its value in either dialect. Where a service of the field only may differ, the field's value is the one that asks
 * more of a client, unless nobody could work with it.
 */
export const DEVIATIONS = {
	// Rate limit
	refusal: oneOf(
		'The answer to a request beyond the limit',
		{ document: 'status429', field: 'status200' },
		{
			status429: 'HTTP 429 with the error envelope, error 1',
			status200: 'HTTP 200 with error 429 and Retry-After (seconds) in the body',
			status429Body: 'HTTP 429 with error 429 and Retry-After in the body',
			status429Text: 'HTTP 429 with a body that is no JSON',
		},
	),
	window: oneOf(
		'When a window of the limit begins and ends',
		{ document: 'aligned', field: 'wholeSeconds' },
		{
			aligned: "at whole multiples of the window by the service's clock",
			wholeSeconds:
				'with its first request; the reset is cut down to whole seconds, and that whole second is refused as well',
		},
	),
	noRateLimitHeaders: yesOrNo('No answer tells of the rate limit', { field: false }),
	unlimited: yesOrNo('The plan has no limit', { field: false }),
	authStatus: wholeNumber('HTTP status of an error envelope about the key', { document: 401, field: 403 }),
	access: oneOf(
		'What the key may do; what it may not is HTTP 403 with the error envelope',
		{ document: 'full', field: 'full' },
		{
			full: 'everything',
			plan: 'nothing, for the plan has no API access',
			suspended: 'nothing, for the account is suspended',
			account: 'everything but reading the account',
		},
	),

	// Envelope and types
	errorStatus: wholeNumber('HTTP status of other error envelopes', { document: 200, field: 200 }),
	success: oneOf(
		'What error holds on success',
		{ document: 'number', field: 'inTurn' },
		{ number: '0, and "0" in lists', text: '"0"', boolean: 'false', inTurn: 'false, "0" and 0, in turn' },
	),
	failure: oneOf(
		'What error holds on failure',
		{ document: 'number', field: 'inTurn' },
		{ number: '1', boolean: 'true', text: 'a text', inTurn: 'true, a text and 1, in turn' },
	),
	createdStatus: wholeNumber('HTTP status of a creation', { document: 200, field: 201 }),
	numbersAsText: yesOrNo('IDs and counts are text in lists and in answers to creations'),
	lastNextPage: oneOf(
		'What nextpage holds on the last page',
		{ document: 'null', field: 'null' },
		{ null: 'null', same: 'its own number', plusOne: 'a page that is not there' },
	),
	defaultPageSize: wholeNumber('The page size without limit', { document: 15, field: 15 }),
	pageCap: wholeNumber('The largest page that is granted', { document: 100, field: null }),
	pageFloor: wholeNumber('The smallest page that is granted', { document: 1, field: 1 }),
	toldPageSize: oneOf(
		'What perpage holds',
		{ document: 'granted', field: 'asked' },
		{ granted: 'the size of the page', asked: 'the size that was asked for' },
	),
	emptyCollection: oneOf(
		'What a list without records holds',
		{ document: 'array', field: 'array' },
		{ array: 'an empty collection', missing: 'no collection' },
	),
	msPerRecord: wholeNumber('Milliseconds that each record of a page takes', { document: 0, field: 0 }),
	gatewayMs: wholeNumber('Milliseconds after which a gateway in front of the service gives up', {
		document: null,
		field: null,
	}),
	gatewayAnswer: oneOf(
		'What the gateway answers then',
		{ document: 'status504', field: 'status504' },
		{
			status504: 'HTTP 504 with a page',
			status502: 'HTTP 502 with a page',
			dropped: 'nothing: the connection ends',
			cutOff: 'HTTP 200, and the connection ends in the middle of the body',
		},
	),
	validationError: oneOf(
		'The answer to values that the service does not take',
		{ document: 'envelope', field: 'envelope' },
		{ envelope: 'the error envelope', empty: 'an empty body' },
	),
	planFull: oneOf(
		'The answer to a creation when the plan has no room',
		{ document: 'room', field: 'room' },
		{ room: 'there is room', envelope: 'the error envelope', page: 'HTTP 500 with a page' },
	),
	wrongQrData: oneOf(
		'The answer to data that does not suit the type of a QR code',
		{ document: 'envelope', field: 'page' },
		{ envelope: 'the error envelope', page: 'HTTP 500 with a page' },
	),
	missing: oneOf(
		'Endpoints that the service lacks',
		{ document: 'none', field: 'none' },
		{
			none: 'none',
			pixels: 'those of pixels',
			linkChanges: 'update and delete of links',
			leftOut: 'all that the document leaves out',
			lists: 'all lists but that of links',
		},
	),
	missingAnswer: oneOf(
		'How the service says so',
		{ document: 'status404', field: 'status404' },
		{
			status404: 'HTTP 404 with the error envelope',
			status405: 'HTTP 405 with the error envelope',
			page: 'HTTP 404 with a page',
		},
	),

	// Links
	knownLongUrl: oneOf(
		'Shortening a long URL that has a link already',
		{ document: 'new', field: 'returned' },
		{ new: 'makes another link', returned: 'returns that link, also with another alias than was asked for' },
	),
	aliasDropped: yesOrNo('An alias is dropped without a word', { field: false }),
	domainDropped: yesOrNo('A domain is dropped without a word', { field: false }),
	targetsDropped: yesOrNo('Targets are dropped without a word', { field: false }),
	unknownDomain: oneOf(
		'A link on a domain that the account does not have',
		{ document: 'refused', field: 'replaced' },
		{ refused: 'is refused', replaced: "stands on the service's own" },
	),
	createReply: oneOf(
		'The answer to the creation of a link',
		{ document: 'full', field: 'full' },
		{
			full: 'id and shorturl',
			shorturl: 'shorturl alone',
			bare: 'the bare envelope',
			nothingMade: 'error 0 and a message, and no link was made',
		},
	),
	shortLinksElsewhere: yesOrNo("Short links stand on another host than the service's address"),
	shortMiss: oneOf(
		'The answer to GET /api/urls?short= without a match',
		{ document: 'error', field: 'error' },
		{
			error: 'the error envelope',
			emptyList: 'an empty list',
			wholeList: 'the whole list, as if short were not there',
		},
	),
	overlayTarget: oneOf(
		'The type of a link that shows an overlay',
		{ document: 'either', field: 'prefixed' },
		{ either: "the overlay's ID, or overlay-<id>", prefixed: 'overlay-<id> alone' },
	),
	statesInLocation: yesOrNo('The location of a link holds an object of states for a country'),
	nullDevice: yesOrNo('The device of a link without device targets is null'),
	emptyStatistics: oneOf(
		'The statistics of a link that was never clicked',
		{ document: 'zero', field: 'zero' },
		{ zero: '0', object: 'an object without entries' },
	),
	linkUpdate: oneOf(
		'What becomes of fields that the update of a link leaves out',
		{ document: 'keeps', field: 'resets' },
		{ keeps: 'they stay', resets: 'they are reset' },
	),
	linkUpdateReply: oneOf(
		'Where the answer to the update of a link has its address',
		{ document: 'shorturl', field: 'short' },
		{ shorturl: 'in shorturl', short: 'in short' },
	),

	// Other resources
	moreFields: yesOrNo('Lists of links and campaigns and the account carry fields that the document does not name'),
	overlayCollection: oneOf(
		'The collection of the list of overlays',
		{ document: 'cta', field: 'overlay' },
		{ cta: 'cta', overlay: 'overlay' },
	),
	campaignNameIn: oneOf(
		"Where the creation and the update of a campaign answer with the campaign's name",
		{ document: 'domain', field: 'campaign' },
		{ domain: 'in domain', campaign: 'in campaign' },
	),
	capitalNames: yesOrNo('The first letter of a new campaign name becomes a capital'),
	uniqueNames: yesOrNo('A campaign needs a name; duplicate names of campaigns and channels are refused (HTTP 400)'),
	channelUpdateReply: oneOf(
		'The answer to the update of a channel',
		{ document: 'message', field: 'channel' },
		{ message: 'a message', channel: 'the whole channel' },
	),
	sharedDomains: wholeNumber('So many shared domains without an ID end the list of domains, not counted in result', {
		document: 0,
		field: 2,
	}),

	// QR codes
	qrTypes: oneOf(
		'The types of QR codes that are taken',
		{ document: 'document', field: 'more' },
		{ document: 'those of the document', more: 'whatsapp, smsonly, application, crypto and staticvcard as well' },
	),
	qrLink: oneOf(
		'What the link of a QR code leads to',
		{ document: 'content', field: 'storedPicture' },
		{
			content: "the code's content",
			picture: 'the picture (SVG)',
			storedPicture: 'the picture: SVG at first, later calls are redirected to a stored file on another host',
		},
	),
	qrDateInData: yesOrNo("A QR code's details have the timestamp in data where the document says date"),
	qrStatistics: oneOf(
		'Which QR codes have statistics',
		{ document: 'all', field: 'links' },
		{ all: 'all', links: 'those that lead to a link' },
	),
	qrUpdateType: oneOf(
		'The type in the update of a QR code',
		{ document: 'taken', field: 'ignored' },
		{ taken: 'changes the type', ignored: 'is ignored' },
	),
} satisfies Record<string, Deviation<boolean> | Deviation<number> | Deviation<number | null> | Deviation<string>>;

export type DeviationName = keyof typeof DEVIATIONS;

/** How a service answers: each deviation's value. */
export type Behaviour = { [Name in DeviationName]: (typeof DEVIATIONS)[Name]['document'] };

const NAMES = Object.keys(DEVIATIONS) as DeviationName[];

/** The values that a dialect gives all deviations. */
export function behaviourOf(dialect: Dialect): Behaviour {
	return Object.fromEntries(NAMES.map((name) => [name, DEVIATIONS[name][dialect]])) as Behaviour;
}

/** The dialect whose forms the answers keep: the document's as long as nothing deviates from it. */
export function dialectOf(behaviour: Behaviour): Dialect {
	return NAMES.every((name) => behaviour[name] === DEVIATIONS[name].document) ? 'document' : 'field';
}

/** What the deviations make of the request budget. */
export function limitOf(behaviour: Behaviour): Partial<LimitSettings> {
	const refusals: Record<Behaviour['refusal'], Pick<LimitSettings, 'status' | 'body'>> = {
		status429: { status: 429, body: 'envelope' },
		status200: { status: 200, body: 'retryAfter' },
		status429Body: { status: 429, body: 'retryAfter' },
		status429Text: { status: 429, body: 'text' },
	};
	const windows: Record<Behaviour['window'], Pick<LimitSettings, 'begin' | 'rounding' | 'throughResetSecond'>> = {
		aligned: { begin: 'aligned', rounding: 'ceil', throughResetSecond: false },
		wholeSeconds: { begin: 'firstRequest', rounding: 'floor', throughResetSecond: true },
	};
	return {
		...refusals[behaviour.refusal],
		...windows[behaviour.window],
		headers: !behaviour.noRateLimitHeaders,
		...(behaviour.unlimited ? { requests: null } : {}),
	};
}

/** Reads `name=value` pairs. @throws Error that says what is wrong with a name or a value */
export function readDeviations(settings: string[]): Partial<Behaviour> {
	return Object.fromEntries(
		settings.map((setting) => {
			const [name, value = 'true'] = setting.split('=');
			const deviation = (DEVIATIONS as Record<string, Deviation<unknown>>)[name];
			if (deviation === undefined) throw new Error(`There is no deviation ${name}: see --list`);
			try {
				return [name, deviation.read(value)];
			} catch (error) {
				throw new Error(`${name} ${error instanceof Error ? error.message : String(error)}`);
			}
		}),
	);
}

/** The table of deviations as text, for the command line. */
export function describeDeviations(): string {
	return NAMES.map((name) => {
		const { says, document, field, values }: Deviation<unknown> = DEVIATIONS[name];
		const choices = Object.entries(values ?? {}).map(([value, meaning]) => `\n      ${value}: ${meaning}`);
		return `  ${name} (document: ${String(document ?? 'none')}, field: ${String(field ?? 'none')})\n    ${says}.${choices.join('')}\n`;
	}).join('');
}
