import { read, type HttpAnswer } from './answer';
import { ApiError } from './apiError';
import { isPrivate } from './baseUrl';
import type { Connection } from './connection';
import { HAS_ANSWERED } from './retry';

/** Addresses that are tried besides the one that was entered, at most. */
const MOST_CANDIDATES = 4;
/** Where the API was found instead of below the Base URL; empty where it was found nowhere. */
const FOUND = 'where the API is';
const FOUND_FOR = 10 * 60_000;

/** Where the API may be instead: people paste what the browser shows, and leave the scheme away (interface: `baseUrl`). */
function candidatesFor(address: string): string[] {
	const { protocol, host, hostname, pathname } = new URL(address);
	const parts = pathname.split('/').filter((part) => part !== '');
	const above = parts.map((_part, depth) => `${protocol}//${[host, ...parts.slice(0, depth)].join('/')}`);
	const other = protocol === 'https:' ? 'http:' : 'https:';
	const paths = [address, ...above].map((one) => one.slice(protocol.length));
	return [...above, ...(isPrivate(hostname) ? paths.map((one) => other + one) : [])].slice(0, MOST_CANDIDATES);
}

type Ask = (url: string) => Promise<HttpAnswer>;

/** Where the API is, by requests without the key: there, such a service misses it. Empty where none of those tried is one. */
async function findApi(candidates: string[], ask: Ask): Promise<string> {
	for (const candidate of candidates) {
		const answer = await ask(`${candidate}/api/account`).catch(() => undefined);
		const is = answer && read(answer, { method: 'GET', path: '/api/account' }).is;
		if (is === 'key' || is === 'plan' || is === 'limited') return candidate;
	}
	return '';
}

/** Whether an error may mean that the Base URL is not that of the API. */
function doubtsAddress(error: unknown): error is ApiError {
	return error instanceof ApiError && ['noEndpoint', 'unreadable', 'redirected', 'unreachable'].includes(error.kind);
}

/**
 * The error of a service that has never answered may lie in the Base URL: then it says which one to enter.
 *
 * @param ask sends a GET request without the key; the custom header goes along to the same scheme and host alone
 */
export async function explained(error: unknown, { address, learned }: Connection, ask: Ask): Promise<unknown> {
	if (!doubtsAddress(error) || learned.recall(HAS_ANSWERED) !== undefined) return error;
	// What speaks of its routes may be the API all the same, without this one.
	const candidates = [...(error.endpoint === undefined ? [] : [address]), ...candidatesFor(address)];
	const found = learned.recall<string>(FOUND) ?? (await findApi(candidates, ask));
	learned.remember(FOUND, found, FOUND_FOR);
	if (found === '' || found === address) return error;
	return new ApiError(
		error.kind,
		`The API of the service is not at ${address}, but at ${found}`,
		`Enter ${found} as the Base URL of the credential.`,
		error.statusCode,
	);
}
