import type { IDataObject } from 'n8n-workflow';

import type { Change, Question } from '../watch';

/** What is listed: links or QR codes (spec, "Short links", "QR codes"). */
interface Listed {
	/** As it is called in a sentence. */
	noun: string;
	path: string;
	collection: string;
	/** By date, with the newest first: an order by clicks changes while it is read. */
	query?: { order: 'date' };
	recordPath(id: number): string;
	/** What lists and details of all services show: the same, whether all or chosen records are watched. */
	fields: readonly string[];
	/** The field that holds the count, named for what is counted. */
	countField: 'clicks' | 'scans';
	/** The parameter that names selected records, and its label. */
	idsParameter: string;
	idsLabel: string;
}

const links: Listed = {
	noun: 'link',
	path: '/api/urls',
	collection: 'urls',
	query: { order: 'date' },
	recordPath: (id) => `/api/url/${id}`,
	fields: ['id', 'alias', 'shorturl', 'longurl', 'title', 'description', 'clicks', 'date'],
	countField: 'clicks',
	idsParameter: 'linkIds',
	idsLabel: 'Link Names or IDs',
};

const qrCodes: Listed = {
	noun: 'QR code',
	path: '/api/qr',
	collection: 'qrs',
	recordPath: (id) => `/api/qr/${id}`,
	fields: ['id', 'link', 'name', 'scans', 'date'],
	countField: 'scans',
	idsParameter: 'qrCodeIds',
	idsLabel: 'QR Code Names or IDs',
};

export interface TriggerEvent {
	name: string;
	value: string;
	/** What n8n's panel of nodes calls it: the same, as a sentence. */
	action: string;
	description: string;
	listed: Listed;
	kind: Question['kind'];
	/** The listing need not be read whole: its newest records come first. */
	isNewestFirst: boolean;
}

const EVENT_TABLE: Array<[value: string, name: string, description: string, Listed, Question['kind']]> = [
	['linkClicked', 'Link Clicked', 'A short link was clicked since the last poll', links, 'grown'],
	['linkCreated', 'Link Created', 'A short link was created, here or anywhere else', links, 'created'],
	['linkClickThreshold', 'Link Reached Clicks', 'The clicks of a short link reached a number', links, 'reached'],
	['qrCodeCreated', 'QR Code Created', 'A QR code was created, here or anywhere else', qrCodes, 'created'],
	['qrCodeScanThreshold', 'QR Code Reached Scans', 'The scans of a QR code reached a number', qrCodes, 'reached'],
	['qrCodeScanned', 'QR Code Scanned', 'A QR code was scanned since the last poll', qrCodes, 'grown'],
];

const asSentence = (name: string) => name.replace(/ (?:Code|[A-Z][a-z]+)/g, (word) => word.toLowerCase());

export const EVENTS: readonly TriggerEvent[] = EVENT_TABLE.map(([value, name, description, listed, kind]) => {
	const isNewestFirst = kind === 'created' && listed.query !== undefined;
	return { name, value, action: asSentence(name), description, listed, kind, isNewestFirst };
});

/** The item that the trigger gives for a change: what happened, and the service's record. */
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
		...(threshold !== undefined && { threshold }),
	};
}
