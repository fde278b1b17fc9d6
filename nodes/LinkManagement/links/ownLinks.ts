import { yielding } from '../n8n/slices';
import { ignoreRefusedEndpoint, ValueError } from '../service/errors';
import { inQuotes } from '../service/failures';
import { asText } from '../service/records';
import { LinkFinder } from './find';
import type { LinkRow } from './linkRow';
import { aboutLink, describeLink, type LinkName, type LinkRecord } from './reference';
import { hostOf, isSameAddress, shortKey } from './url';

/** A long URL that rows give their link. */
interface Giving {
	readonly rows: readonly LinkRow[];
	readonly url: unknown;
	/** The link, if it is there: one that leads to a short link may go on doing so. */
	readonly link?: LinkRecord;
}

const shortUrlName = (url: unknown): LinkName => ({ by: 'shortUrl', shortUrl: asText(url) });

/** Refuses rows that would make their link lead to a short link of the account, as far as its hosts are known without a request. */
export async function refuseShortLinks(givings: readonly Giving[]): Promise<void> {
	if (givings.length === 0) return;
	const [row] = givings[0].rows;
	const { index } = row.state;
	const asking = givings.filter(({ url, link }) => {
		const isOwn = typeof url === 'string' && shortKey(url) !== undefined && index.hasHost(hostOf(url) ?? '');
		return isOwn && !isSameAddress(link && index.get(link)?.longurl, url);
	});
	const finder = new LinkFinder(row);
	// A key that may create links may have no right to see them.
	await finder.findAll(asking.map(({ url }) => shortUrlName(url))).catch(ignoreRefusedEndpoint);
	for await (const { rows, url, link } of yielding(asking)) {
		const [there] = index.matching(shortUrlName(url));
		if (there === undefined || (link !== undefined && isSameAddress(await finder.longUrlOf(link), url))) continue;
		const error = new ValueError(
			`Long URL is a short link of this account: ${describeLink(there)}`,
			`Enter the page that it opens: ${inQuotes(there.longurl)}`,
		);
		for (const one of rows) one.refuse(aboutLink(error, there));
	}
}
