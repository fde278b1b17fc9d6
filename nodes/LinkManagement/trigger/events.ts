import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import type { Change, Reading } from '../watch';

/** What is listed: links or QR codes (spec, "Short links", "QR codes"). */
interface Listed {
	/** As it is called in a sentence. */
	noun: string;
	path: string;
	collection: string;
	recordPath(id: number): string;
	/** The field that holds the count, named for what is counted. */
	countField: 'clicks' | 'scans';
	/** The parameter that names selected records. */
	idsParameter: string;
}

const links: Listed = {
	noun: 'link',
	path: '/api/urls',
	collection: 'urls',
	recordPath: (id) => `/api/url/${id}`,
	countField: 'clicks',
	idsParameter: 'linkIds',
};

const qrCodes: Listed = {
	noun: 'QR code',
	path: '/api/qr',
	collection: 'qrs',
	recordPath: (id) => `/api/qr/${id}`,
	countField: 'scans',
	idsParameter: 'qrCodeIds',
};

/** One event of the trigger: what is listed, how the listing is read, and how large a page is asked for. */
export interface TriggerEvent {
	option: INodePropertyOptions & { value: string };
	listed: Listed;
	kind: 'created' | 'grown' | 'reached';
	reading: Reading;
	query: IDataObject;
	/** Where a page is usually enough, a small one spares the line; where all are read, large ones spare requests. */
	largestPage?: number;
}

export const EVENTS: readonly TriggerEvent[] = [
	{
		option: {
			name: 'Link Clicked',
			value: 'linkClicked',
			action: 'On link clicked',
			description: 'A short link was clicked since the last poll',
		},
		listed: links,
		kind: 'grown',
		// By date, for an order by clicks changes while it is read.
		query: { order: 'date' },
		reading: 'all',
	},
	{
		option: {
			name: 'Link Created',
			value: 'linkCreated',
			action: 'On link created',
			description: 'A short link was created, here or anywhere else',
		},
		listed: links,
		kind: 'created',
		query: { order: 'date' },
		reading: 'newest',
		largestPage: 100,
	},
	{
		option: {
			name: 'Link Reached Clicks',
			value: 'linkClickThreshold',
			action: 'On link reaching a number of clicks',
			description: 'The clicks of a short link reached a number',
		},
		listed: links,
		kind: 'reached',
		query: { order: 'click' },
		reading: 'highest',
		largestPage: 500,
	},
	{
		option: {
			name: 'QR Code Created',
			value: 'qrCodeCreated',
			action: 'On QR code created',
			description: 'A QR code was created, here or anywhere else',
		},
		listed: qrCodes,
		kind: 'created',
		query: {},
		reading: 'all',
	},
	{
		option: {
			name: 'QR Code Reached Scans',
			value: 'qrCodeScanThreshold',
			action: 'On QR code reaching a number of scans',
			description: 'The scans of a QR code reached a number',
		},
		listed: qrCodes,
		kind: 'reached',
		query: {},
		reading: 'all',
	},
	{
		option: {
			name: 'QR Code Scanned',
			value: 'qrCodeScanned',
			action: 'On QR code scanned',
			description: 'A QR code was scanned since the last poll',
		},
		listed: qrCodes,
		kind: 'grown',
		query: {},
		reading: 'all',
	},
];

/** The item that the trigger gives for a change: the service's record, and what happened to it. */
export function toItem({ option, listed }: TriggerEvent, change: Change): IDataObject {
	const { record, previous, count, threshold, together } = change;
	const counted = listed.countField === 'clicks' ? 'Clicks' : 'Scans';
	return {
		...(record as IDataObject),
		event: option.value,
		...(previous !== undefined &&
			count !== undefined && { [`previous${counted}`]: previous, [`new${counted}`]: count - previous }),
		...(threshold !== undefined && { threshold }),
		...(together && { thresholdsPassed: together.passed, firstThreshold: together.first }),
	};
}
