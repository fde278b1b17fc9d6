import { read } from './answer';
import { isAtService, isPrivate } from './baseUrl';
import { customHeader, type Connection, type RequestContext } from './connection';
import { sendOnce } from './sendRequest';

/** Addresses that are tried besides the one that was entered, at most. */
const MOST_CANDIDATES = 4;
/** How long (ms) each of them may take to answer. */
const LONGEST_TRY = 4000;

/** Where the API may be instead: people paste what the browser shows, and leave the scheme away (interface: `baseUrl`). */
function candidatesFor(address: string): string[] {
	const { protocol, host, hostname, pathname } = new URL(address);
	const parts = pathname.split('/').filter((part) => part !== '');
	const above = parts.map((_part, depth) => `${protocol}//${[host, ...parts.slice(0, depth)].join('/')}`);
	const other = protocol === 'https:' ? 'http:' : 'https:';
	const paths = [address, ...above].map((one) => one.slice(protocol.length));
	const otherwise = isPrivate(hostname) ? paths.map((one) => other + one) : [];
	return [...above, ...otherwise].slice(0, MOST_CANDIDATES);
}

/**
 * Looks for the API near an address where it is not: there, a service says that it misses the key. No key is sent; the custom header
 * goes along to the same scheme and host alone.
 *
 * @returns undefined where none of the addresses that are tried has it
 */
export async function findApi(
	context: RequestContext,
	{ address, credential }: Connection,
): Promise<string | undefined> {
	for (const candidate of candidatesFor(address)) {
		const url = `${candidate}/api/account`;
		const headers = isAtService(address, url) ? customHeader(credential) : {};
		const request = { method: 'GET' as const, url, headers, timeout: LONGEST_TRY };
		const answer = await sendOnce(context, request).catch(() => undefined);
		const is = answer && read(answer, { method: 'GET', path: '/api/account' }).is;
		if (is !== undefined && ['key', 'noRight', 'plan', 'limited'].includes(is)) return candidate;
	}
	return undefined;
}
