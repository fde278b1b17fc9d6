import { oneOf, wholeNumber, yesOrNo } from './kinds';

/** What comes before an answer: the limit, the key, and what stands in front of the service. */
export const ACCESS = {
	refusal: oneOf('The answer to a request beyond the limit', {
		status429: 'HTTP 429 with the error envelope, error 1',
		status200: 'HTTP 200 with error 429 and Retry-After (seconds) in the body',
		status429Body: 'HTTP 429 with error 429 and Retry-After in the body',
		status429Text: 'HTTP 429 with a body that is no JSON',
	}),
	window: oneOf('When a window of the limit begins and ends', {
		aligned: "at whole multiples of the window by the service's clock",
		wholeSeconds:
			'with its first request; the reset is cut down to whole seconds, and that whole second is refused as well',
	}),
	noRateLimitHeaders: yesOrNo('No answer tells of the rate limit'),
	unlimited: yesOrNo('The plan has no limit'),
	authStatus: wholeNumber('HTTP status of an error envelope about the key', [401, 403, 200]),
	authorizationDropped: yesOrNo(
		'The web server drops the Authorization header: a right key is answered as a missing one',
	),
	access: oneOf('What the key may do; what it may not is HTTP 403 with the error envelope', {
		full: 'everything',
		plan: 'nothing, for the plan has no API access',
		suspended: 'nothing, for the account is suspended',
		account: 'everything but reading the account',
	}),
	rights: oneOf(
		'What the key has a right for; the rest is an error envelope at HTTP 200 with words about this endpoint and this key',
		{
			all: 'everything',
			account: 'the account alone',
			link: 'links alone',
			qrCode: 'QR codes alone',
			campaign: 'campaigns alone',
			channel: 'channels alone',
			others: 'everything but the account',
		},
	),
	front: oneOf('What stands in front of the service, and answers requests without the header Cookie: passage=granted', {
		nothing: 'nothing',
		script: 'HTTP 200 with a page whose script sets a cookie and loads again',
		page403: 'HTTP 403 with a page',
	}),
};
