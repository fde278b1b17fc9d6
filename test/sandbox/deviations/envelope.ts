import { oneOf, wholeNumber } from './kinds';

/** Envelopes, types, failures, and endpoints that are not there. */
export const ENVELOPE = {
	errorStatus: wholeNumber('HTTP status of other error envelopes', [200, 400, 422]),
	notFoundStatus: wholeNumber('HTTP status of the error envelope for a record that is not there', [200, 400, 404]),
	messageIn: oneOf('Where an error envelope has its message', { message: 'in message', msg: 'in msg' }),
	success: oneOf('What error holds on success', {
		number: '0, and "0" in lists',
		zero: '0, in lists too',
		text: '"0"',
		boolean: 'false',
		inTurn: 'false, "0" and 0, in turn',
	}),
	failure: oneOf('What error holds on failure', {
		number: '1',
		boolean: 'true',
		text: 'a text',
		inTurn: 'true, a text and 1, in turn',
	}),
	createdStatus: wholeNumber('HTTP status of a creation', [200, 201]),
	createdIdIn: oneOf('Where the answer to a creation has the ID', { id: 'in id', data: 'in data.id' }),
	numbersAsText: oneOf('Where IDs and counts are text', {
		no: 'nowhere',
		lists: 'in lists alone; in answers to creations they are numbers',
		everywhere: 'in lists and in answers to creations',
	}),
	validationError: oneOf('The answer to values that the service does not take', {
		envelope: 'the error envelope',
		empty: 'an empty body',
	}),
	planFull: oneOf('The answer to a creation when the plan has no room', {
		room: 'there is room',
		envelope: 'the error envelope',
		page: 'HTTP 500 with a page',
	}),
	missing: oneOf('Endpoints that the service lacks', {
		none: 'none',
		pixels: 'those of pixels',
		linkChanges: 'update and delete of links',
		leftOut: 'all that the document leaves out',
		lists: 'all lists but that of links',
		half: 'those of channels, QR codes, domains, splash pages and overlays, and all that the document leaves out',
	}),
	missingAnswer: oneOf('How the service says so', {
		status404: 'HTTP 404 with the error envelope and words about a route',
		status405: 'HTTP 405 with the error envelope and words about a route',
		page: 'HTTP 404 with a page',
		page405: 'HTTP 405 with a page',
	}),
};
