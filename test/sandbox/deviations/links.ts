import { oneOf, yesOrNo } from './kinds';

/** Short links. */
export const LINKS = {
	knownLongUrl: oneOf('Shortening a long URL that has a link already', {
		new: 'makes another link',
		returned: 'returns that link, also with another alias than was asked for',
	}),
	aliasDropped: yesOrNo('An alias is dropped without a word'),
	aliasDroppedAt: oneOf('Where aliases are dropped, if they are', {
		anywhere: 'on every host',
		ownHost: "on the service's own host alone",
		domains: "on the account's domains alone",
	}),
	aliasOfOthers: yesOrNo('Aliases that begin with “theirs” belong to another user of the service'),
	domainDropped: yesOrNo('A domain is dropped without a word'),
	longUrlKept: oneOf('How a long URL is kept', {
		asSent: 'as it was sent',
		normalized: 'percent-encoded in capitals, and where it must be alone',
		encoded: 'with [, ] and | percent-encoded',
		escaped: 'with & escaped for HTML',
		plus: 'with + for each space',
		slashCut: 'without a slash at its end',
		fragmentCut: 'without its fragment',
		tagged: "with a parameter of the service's own",
	}),
	targetsDropped: yesOrNo('Targets are dropped without a word'),
	aliasKept: oneOf('How an alias is kept', {
		asSent: 'as it was sent',
		lowered: 'in small letters',
		stripped: 'without its signs and accents',
	}),
	aliasLength: oneOf('How long an alias may be', { any: 'of any length', '3to50': '3 to 50 characters' }),
	aliasUnique: oneOf('Where an alias may stand once', {
		domain: 'on each domain',
		account: 'in the whole account',
	}),
	unknownDomain: oneOf('A link on a domain that the account does not have', {
		refused: 'is refused',
		replaced: "stands on the service's own",
	}),
	expiryAhead: yesOrNo('A new or changed expiry that does not lie after today is refused'),
	createReply: oneOf('The answer to the creation of a link', {
		full: 'id and shorturl',
		shorturl: 'shorturl alone',
		bare: 'the bare envelope',
		nothingMade: 'error 0 and a message, and no link was made',
	}),
	shortLinksElsewhere: yesOrNo("Short links stand on another host than the service's address"),
	shortHit: oneOf('The answer to GET /api/urls?short= with a match', {
		details: "the link's details",
		list: 'a list of one',
		wholeList: 'the whole list, as if short were not there',
	}),
	shortMiss: oneOf('The answer to GET /api/urls?short= without a match', {
		error: 'the error envelope',
		emptyList: 'an empty list',
		wholeList: 'the whole list, as if short were not there',
	}),
	shortRead: oneOf('What is looked for by GET /api/urls?short=', {
		address: 'the address',
		alias: 'the last part of its path, as an alias on whatever host',
	}),
	overlayTarget: oneOf('The type of a link that shows an overlay', {
		either: "the overlay's ID, or overlay-<id>",
		prefixed: 'overlay-<id> alone',
	}),
	statesInLocation: yesOrNo('The location of a link holds an object of states for a country'),
	nullDevice: yesOrNo('The device of a link without device targets is null'),
	linkUpdate: oneOf('What becomes of fields that the update of a link leaves out', {
		keeps: 'they stay',
		resets: 'they are reset, and the link leaves its channel',
	}),
	linkUpdateReply: oneOf('Where the answer to the update of a link has its address', {
		shorturl: 'in shorturl',
		short: 'in short',
	}),
};
