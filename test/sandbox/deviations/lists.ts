import { numberOrNone, oneOf, wholeNumber, yesOrNo } from './kinds';

/** Lists and their pages. */
export const LISTS = {
	recordsAs: oneOf("What a list's records are", {
		array: 'an array',
		object: 'an object with the keys "0", "1" and so on',
	}),
	recordsAt: oneOf('Where a list has its records and figures', {
		data: 'under data',
		top: 'at the top level, and there is no data',
	}),
	figures: oneOf('The figures of a page: result, perpage, currentpage, nextpage, maxpage', {
		numbers: 'numbers',
		text: 'text',
		missing: 'not there',
		nextPage: 'nextpage alone',
	}),
	pageCap: numberOrNone('The largest page that is granted', [100, null, 50, 25, 15]),
	toldPageSize: oneOf('What perpage holds', {
		granted: 'the size of the page',
		asked: 'the size that was asked for',
	}),
	pageTooMany: yesOrNo('nextpage and maxpage announce one page too many, and a page beyond the end gets an error'),
	ties: wholeNumber(
		'So many records share a date, and stand in another order on each page; links of equal clicks do so too',
		[0, 3, 30, 450],
	),
	overlayCollection: oneOf('The collection of the list of overlays', { cta: 'cta', overlay: 'overlay' }),
	sharedDomains: wholeNumber(
		'So many shared domains without an ID end the list of domains, not counted in result',
		[0, 1, 2],
	),
	moreFields: yesOrNo('Lists of links and campaigns and the account carry fields that the document does not name'),
	orders: oneOf('Which orders the list of links keeps to', {
		both: 'date and click',
		date: 'date, also where click was asked for',
		none: 'none: oldest first, whatever was asked for',
	}),
	searchIgnored: yesOrNo('q is ignored: the whole list comes, whatever was searched for'),
};
