import { request as overHttp } from 'http';
import { request as overHttps } from 'https';
import type { LedgerEntry, StoredLink } from './records';

/** What the receiver gets: time to connect, and time in all. What fails is dropped, and nothing is sent again. */
const CONNECT_MS = 1000;
const TOTAL_MS = 2000;

/** Who clicks, in turn. Some services leave the city out. */
const VISITORS = [
	{ country: 'Germany', city: 'Berlin', referer: 'direct', os: 'Android', browser: 'Chrome' },
	{ country: 'France', referer: 'https://www.example.org/', os: 'iOS', browser: 'Safari' },
];

/** What services post to the address that the owner of an account has entered: each new link, and each click. */
export class Notifier {
	private clicks = 0;

	/** @param shortUrl the address of a link */
	constructor(
		private readonly address: string,
		private readonly shortUrl: (link: StoredLink) => string,
	) {}

	/** Posts what happened to a link; one post for each click. */
	linkChanged({ kind, added = 0 }: LedgerEntry, link: StoredLink): void {
		const [shorturl, date] = [this.shortUrl(link), dayFirst(Date.now())];
		if (kind === 'created') {
			const { longurl, title } = link;
			post(this.address, { type: 'url', longurl, shorturl, ...(title === '' ? {} : { title }), date });
		}
		for (let left = kind === 'clicked' ? added : 0; left > 0; left--)
			post(this.address, { type: 'view', shorturl, ...VISITORS[this.clicks++ % VISITORS.length], date });
	}
}

/** Day first, without a zone, unlike every other date of the service. */
function dayFirst(milliseconds: number): string {
	const [date, time] = new Date(milliseconds).toISOString().slice(0, 19).split('T');
	return `${date.split('-').reverse().join('-')} ${time}`;
}

function post(address: string, event: object): void {
	const send = address.startsWith('https:') ? overHttps : overHttp;
	const headers = { 'content-type': 'application/json' };
	const sent = send(address, { method: 'POST', headers, signal: AbortSignal.timeout(TOTAL_MS) });
	const connecting = setTimeout(() => sent.destroy(), CONNECT_MS);
	sent.on('socket', (socket) => socket.once('connect', () => clearTimeout(connecting)));
	sent.on('close', () => clearTimeout(connecting));
	sent.on('response', (response) => response.resume());
	sent.on('error', () => undefined);
	sent.end(JSON.stringify(event));
}
