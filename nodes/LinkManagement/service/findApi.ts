import { read } from './answer';
import { certificateSettings, customHeader, type Connection, type RequestContext } from './connection';
import { sendOnce } from './exchange';

/** How long (ms) the API may take to answer. */
const LONGEST_TRY = 4000;

/**
 * Looks for the API at the origin of an address below which it is not: people paste what the browser shows (interface: `baseUrl`).
 * It is there if something says that it misses the key, for no key is sent.
 */
export async function findApi(
	context: RequestContext,
	{ address, credential }: Connection,
): Promise<string | undefined> {
	const { origin } = new URL(address);
	if (origin === address) return undefined;
	const url = `${origin}/api/account`;
	const settings = { ...certificateSettings(credential), headers: customHeader(credential), timeout: LONGEST_TRY };
	const request = { method: 'GET' as const, url, ...settings };
	const answer = await sendOnce(context, request).catch(() => undefined);
	const { is } = answer === undefined ? {} : read(answer, { method: 'GET', path: '/api/account' });
	return is !== undefined && ['key', 'noRight', 'plan', 'limited'].includes(is) ? origin : undefined;
}
