import { numberOrNone, oneOf, wholeNumber, yesOrNo } from './kinds';

/** Lists, their pages, and how long they take. */
export const LISTS = {
	recordsAs: oneOf("What a list's records are", 'reading', {
		array: 'an array',
		object: 'an object with the keys "0", "1" and so on',
	}),
	recordsAt: oneOf('Where a list has its records and figures', 'reading', {
		data: 'under data',
		top: 'at the top level, and there is no data',
	}),
	figures: oneOf('The figures of a page: result, perpage, currentpage, nextpage, maxpage', 'reading', {
		numbers: 'numbers',
		text: 'text',
		missing: 'not there',
		nextPage: 'nextpage alone',
	}),
	lastNextPage: oneOf('What nextpage holds on the last page', 'reading', {
		null: 'null',
		same: 'its own number',
		plusOne: 'a page that is not there',
	}),
	lastPage: oneOf('What maxpage holds', 'reading', {
		right: 'the number of the last page',
		asked: 'the number that the last page would have in pages of the size asked for',
		oneTooMany: 'one page too many',
		one: '1',
		zero: '0',
		missing: 'it is not there',
	}),
	beyondLastPage: oneOf('The answer to a page beyond the last', 'reading', {
		empty: 'a page without records',
		error: 'the error envelope, as for a record that is not there',
	}),
	defaultPageSize: wholeNumber('The page size without limit', 'reading', [15, 10, 25]),
	pageCap: numberOrNone('The largest page that is granted', 'reading', [100, null, 50, 25, 15]),
	pageFloor: wholeNumber('The smallest page that is granted', 'reading', [1, 10]),
	toldPageSize: oneOf('What perpage holds', 'reading', {
		granted: 'the size of the page',
		asked: 'the size that was asked for',
		missing: 'it is not there',
	}),
	emptyCollection: oneOf('What a list without records holds', 'reading', {
		array: 'an empty collection',
		missing: 'no collection',
	}),
	overlayCollection: oneOf('The collection of the list of overlays', 'reading', { cta: 'cta', overlay: 'overlay' }),
	sharedDomains: wholeNumber(
		'So many shared domains without an ID end the list of domains, not counted in result',
		'reading',
		[0, 1, 2],
	),
	moreFields: yesOrNo(
		'Lists of links and campaigns and the account carry fields that the document does not name',
		'reading',
	),
	orders: oneOf('Which orders the list of links keeps to', 'reading', {
		both: 'date and click',
		date: 'date, also where click was asked for',
		none: 'none: oldest first, whatever was asked for',
	}),
	searchIgnored: yesOrNo('q is ignored: the whole list comes, whatever was searched for', 'reading'),
	msPerRecord: wholeNumber(
		'Milliseconds that each record of a page takes',
		'never: how long an answer takes is no matter of forms',
		[0],
	),
	gatewayMs: numberOrNone(
		'Milliseconds after which a gateway in front of the service gives up',
		'never: no answer tells',
		[null],
	),
	gatewayAnswer: oneOf('What the gateway answers then', 'never: answers would have to take too long', {
		status504: 'HTTP 504 with a page',
		status502: 'HTTP 502 with a page',
		dropped: 'nothing: the connection ends',
		cutOff: 'HTTP 200, and the connection ends in the middle of the body',
	}),
};
