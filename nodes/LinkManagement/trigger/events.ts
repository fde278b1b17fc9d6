import type { IDataObject } from 'n8n-workflow';

import { LINK, LISTS, pathOf } from '../service/endpoints';
import type { ListEndpoint } from '../service/lists/page';
import type { Change, Watch } from '../watch';

/** A kind of records: links or QR codes (spec, "Short link list item", "QR code"). */
interface Listed extends ListEndpoint {
	/** Its name in a sentence. */
	noun: string;
	/** Newest first: an order by clicks would change while it is read. */
	query?: { order: 'date' };
	/** The path of a single record, where all services show its count there. */
	recordPath?(id: number): string;
	/** Fields that lists and details of all services show: items are the same, whether all or selected records are watched. */
	fields: readonly string[];
	/** The field that holds the count. */
	countField: 'clicks' | 'scans';
	/** The parameter of the selected records, and its label. */
	idsParameter: string;
	idsLabel: string;
}

const links: Listed = {
	noun: 'link',
	...LISTS.links,
	query: { order: 'date' },
	recordPath: (id) => pathOf(LINK, { id }),
	fields: ['id', 'alias', 'shorturl', 'longurl', 'title', 'description', 'clicks', 'date'],
	countField: 'clicks',
	idsParameter: 'linkIds',
	idsLabel: 'Link Names or IDs',
};

const codes: Listed = {
	noun: 'QR code',
	...LISTS.qrCodes,
	fields: ['id', 'link', 'name', 'scans', 'date'],
	countField: 'scans',
	idsParameter: 'qrCodeIds',
	idsLabel: 'QR Code Names or IDs',
};

export interface TriggerEvent {
	name: string;
	value: string;
	/** Its name in n8n's nodes panel. */
	action: string;
	description: string;
	listed: Listed;
	kind: Watch['kind'];
	/** The newest records come first, so that the listing need not be read to its end. */
	isNewestFirst: boolean;
}

const ROWS: Array<[value: string, name: string, description: string, Listed, Watch['kind']]> = [
	['linkClicked', 'Link Clicked', 'A short link was clicked since the last poll', links, 'grown'],
	['linkCreated', 'Link Created', 'A short link was created, here or anywhere else', links, 'created'],
	['linkClickThreshold', 'Link Reached a Number of Clicks', 'The clicks of a link reached a number', links, 'reached'],
	['qrCodeCreated', 'QR Code Created', 'A QR code was created, here or anywhere else', codes, 'created'],
	['qrCodeScanThreshold', 'QR Code Reached a Number of Scans', 'Scans of a QR code reached a number', codes, 'reached'],
	['qrCodeScanned', 'QR Code Scanned', 'A QR code was scanned since the last poll', codes, 'grown'],
];

const asSentence = (name: string) => name.replace(/ (?:Code|[A-Z][a-z]+)/g, (word) => word.toLowerCase());

export const EVENTS: readonly TriggerEvent[] = ROWS.map(([value, name, description, listed, kind]) => {
	const isNewestFirst = kind === 'created' && listed.query !== undefined;
	return { name, value, action: asSentence(name), description, listed, kind, isNewestFirst };
});

/** The item of a change: what happened, and the service's record. */
export function toItem({ value, kind, listed }: TriggerEvent, change: Change, more: IDataObject = {}): IDataObject {
	const { record, previous, count, threshold } = change;
	const counted = listed.countField === 'clicks' ? 'Clicks' : 'Scans';
	const first = { event: value, ...more };
	const isShown = ([name]: [string, unknown]) => kind === 'created' || listed.fields.includes(name);
	return {
		...first,
		...(Object.fromEntries(Object.entries(record).filter(isShown)) as IDataObject),
		...first,
		...(previous !== undefined &&
			count !== undefined && { [`previous${counted}`]: previous, [`new${counted}`]: count - previous }),
		...(kind === 'reached' && { threshold }),
	};
}
