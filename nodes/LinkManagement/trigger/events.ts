import type { IDataObject } from 'n8n-workflow';

import type { Change } from '../watch';

/** What is listed: links or QR codes (spec, "Short links", "QR codes"). */
interface Listed {
	/** As it is called in a sentence. */
	noun: string;
	path: string;
	collection: string;
	/** By date: an order by clicks changes while it is read. */
	query?: IDataObject;
	recordPath(id: number): string;
	/** What lists and details of all services show: the same, whether all or chosen records are watched. */
	fields: readonly string[];
	/** The field that holds the count, named for what is counted. */
	countField: 'clicks' | 'scans';
	/** The parameter that names selected records. */
	idsParameter: string;
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
};

const qrCodes: Listed = {
	noun: 'QR code',
	path: '/api/qr',
	collection: 'qrs',
	recordPath: (id) => `/api/qr/${id}`,
	fields: ['id', 'link', 'name', 'scans', 'date'],
	countField: 'scans',
	idsParameter: 'qrCodeIds',
};

/** One event of the trigger: what it lists, in which order, and in pages of which size. */
export interface TriggerEvent {
	name: string;
	value: string;
	action: string;
	description: string;
	listed: Listed;
	kind: 'created' | 'grown' | 'reached';
	/** The listing is asked for with its newest records first, so that it need not be read whole. */
	isNewestFirst?: boolean;
	/** Where a page is usually enough, a small one spares the line; where all are read, large ones spare requests. */
	largestPage?: number;
}

export const EVENTS: readonly TriggerEvent[] = [
	{
		name: 'Link Clicked',
		value: 'linkClicked',
		action: 'On link clicked',
		description: 'A short link was clicked since the last poll',
		listed: links,
		kind: 'grown',
	},
	{
		name: 'Link Created',
		value: 'linkCreated',
		action: 'On link created',
		description: 'A short link was created, here or anywhere else',
		listed: links,
		kind: 'created',
		isNewestFirst: true,
		largestPage: 100,
	},
	{
		name: 'Link Reached Clicks',
		value: 'linkClickThreshold',
		action: 'On link reaching a number of clicks',
		description: 'The clicks of a short link reached a number',
		listed: links,
		kind: 'reached',
	},
	{
		name: 'QR Code Created',
		value: 'qrCodeCreated',
		action: 'On QR code created',
		description: 'A QR code was created, here or anywhere else',
		listed: qrCodes,
		kind: 'created',
	},
	{
		name: 'QR Code Reached Scans',
		value: 'qrCodeScanThreshold',
		action: 'On QR code reaching a number of scans',
		description: 'The scans of a QR code reached a number',
		listed: qrCodes,
		kind: 'reached',
	},
	{
		name: 'QR Code Scanned',
		value: 'qrCodeScanned',
		action: 'On QR code scanned',
		description: 'A QR code was scanned since the last poll',
		listed: qrCodes,
		kind: 'grown',
	},
];

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
