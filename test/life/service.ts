import { Readable } from 'stream';

import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { oddTexts } from '../anyService/answers';
import { SimulatedService } from '../unit/watchSimulation';

/** What comes in place of an answer: a text with a status, no records, no counts, the first page, or no answer at all. */
export type Odd = { text: number } | 'emptied' | 'fallen' | 'firstPage' | 'broken' | 'hangs';

export interface Turn {
	/** Of the requests from now on, the one that gets an odd answer. */
	oddAt?: number;
	odd?: Odd;
	/** Other work with the same key has used up the rate limit. */
	isLimited?: boolean;
	/** What happens before each of them. */
	before?(request: number): void;
}

const ODD_TEXTS = oddTexts();

/** A refusal that says to come back later than a poll of the scheduler lasts. */
const LIMITED = () => {
	const body = Readable.from([Buffer.from('{"error":429,"message":"Too many requests"}')]);
	return { statusCode: 429, headers: { 'retry-after': '50' }, body } as unknown as IDataObject;
};

const countsOf = (scans: unknown) => ({ scans, clicks: scans });

/** A service with links and QR codes that are the same records, asked without a network, at the pace of a slow one. */
export class LifeService {
	private requests = 0;
	/** All requests of its life. */
	asked = 0;
	/** It has shown the end of its list. */
	hasShownEnd = false;
	private turn: Turn = {};

	/** @param latency how long (ms) an answer takes */
	constructor(
		readonly records: SimulatedService,
		private readonly largestPage: number,
		private readonly latency: number,
		private readonly pageTooMany = false,
	) {}

	/** What is odd, and what happens, from now on. */
	begin(turn: Turn = {}): void {
		this.requests = 0;
		this.turn = turn;
	}

	/** Answers as n8n's HTTP helper hands an answer on. @throws as that does for a line that breaks */
	async answer({ url = '', qs = {}, abortSignal }: IHttpRequestOptions): Promise<IDataObject> {
		const request = this.requests++;
		this.asked++;
		const odd = request === this.turn.oddAt ? this.turn.odd : undefined;
		this.turn.before?.(request);
		await this.wait(odd === 'hangs' ? Infinity : this.latency, abortSignal as AbortSignal | undefined);
		if (this.turn.isLimited === true) return LIMITED();
		if (odd === 'broken') throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		const isText = typeof odd === 'object';
		const [statusCode, text] = isText
			? ODD_TEXTS[odd.text % ODD_TEXTS.length]
			: [200, JSON.stringify(this.body(url, qs, odd))];
		const headers = { 'content-type': text.startsWith('<') ? 'text/html' : 'application/json' };
		return { statusCode, headers, body: Readable.from([Buffer.from(text)]) } as unknown as IDataObject;
	}

	private async wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			if (milliseconds < Infinity) setTimeout(resolve, milliseconds);
			signal?.addEventListener('abort', () => reject(Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' })));
		});
	}

	private body(path: string, { page, limit }: IDataObject, odd?: Odd): IDataObject {
		const [, collection, id] = /^\/api\/(urls?|qr)(?:\/(\d+))?$/.exec(path) ?? [];
		if (id !== undefined) {
			const record = this.records.record(Number(id));
			if (record === undefined) return { error: 1, message: 'Not found' };
			const { scans, ...details } = record;
			return { error: 0, id: record.id as number, details: { ...details, scans, clicks: scans } as IDataObject };
		}
		const size = Math.min(Number(limit), this.largestPage);
		const count = this.records.ids().length;
		const last = Math.max(1, Math.ceil(count / size));
		if (this.pageTooMany && Number(page) > last && odd === undefined) return { error: 1, message: 'No results found.' };
		const { records, result } = this.records.page(odd === 'firstPage' ? 1 : Number(page), size);
		this.hasShownEnd ||= odd === undefined && (Number(page) - 1) * size + records.length >= count;
		const shown =
			odd === 'emptied'
				? []
				: records.map((record) => ({ ...record, ...countsOf(odd === 'fallen' ? 0 : record.scans) }));
		const announced = last + (this.pageTooMany ? 1 : 0);
		const figures = { result, perpage: size, maxpage: announced };
		const maxpage = result === undefined ? {} : figures;
		const nextpage = announced > Number(page) ? Number(page) + 1 : null;
		const name = collection === 'qr' ? 'qrs' : 'urls';
		return {
			error: '0',
			data: {
				...maxpage,
				...((result !== undefined || this.pageTooMany) && { nextpage }),
				[name]: shown as IDataObject[],
			},
		};
	}
}
