import { yielding } from '../n8n/slices';
import { ValueError } from '../service/errors';
import { LinkFinder } from './find';
import type { DomainReference } from './reference';
import { setAt, type LinkRow } from './linkRow';
import { hostOf } from './url';

const MOST_NAMED = 10;

function unknownDomain({ name }: DomainReference, domains: readonly string[]): ValueError {
	const named = `${domains.slice(0, MOST_NAMED).join(', ')}${domains.length > MOST_NAMED ? ', …' : ''}`;
	return new ValueError(
		`Domain is not one of the account's: "${name}". ${named === '' ? 'It has no domains' : `It has ${named}`}`,
		'Choose a domain of the account, or add this one to the account first.',
	);
}

/**
 * Puts the account's own spelling of domains into the requests of rows. A service drops the path, or the whole domain, if it is
 * spelled differently. A host that is not the account's is refused, unless its domains can't be read.
 */
export async function findDomains(rows: readonly LinkRow[]): Promise<void> {
	const asking = rows.flatMap((row) => {
		const { domain } = row.request;
		return domain === undefined ? [] : [{ row, domain, host: hostOf(domain.name) }];
	});
	if (asking.length === 0) return;
	const finder = new LinkFinder(asking[0].row);
	const domains = await finder.domains().catch((error: unknown) => {
		for (const { row } of asking) row.refuse(error);
		return [];
	});
	const spellings = new Map(domains.map((domain) => [hostOf(domain), domain]));
	for await (const { row, domain, host } of yielding(asking))
		setAt(row.request, domain.path, spellings.get(host) ?? domain.name);
	if (!finder.links.areDomainsKnown) return;
	const others = asking.filter(({ host }) => !spellings.has(host));
	await finder.findHosts(new Set(others.flatMap(({ host }) => host ?? [])));
	for (const { row, domain, host } of others) {
		if (host === undefined || !finder.links.hasHost(host)) row.refuse(unknownDomain(domain, domains));
	}
}
