import { mapYielding } from '../n8n/slices';
import { listed, ValueError } from '../service/errors';
import { inQuotes } from '../service/failures';
import { LinkFinder } from './find';
import { type LinkRow, referencesOf } from './linkRow';
import { type DomainReference, howToLeaveOut, type Reference } from './reference';
import { hostOf } from './url';

function unknownDomain({ name, column }: DomainReference, domains: readonly string[]): ValueError {
	return new ValueError(
		`Domain is not one of the account's: "${name}". ${domains.length === 0 ? 'It has no domains' : `It has ${listed(domains.map(inQuotes))}`}`,
		`Choose a domain of the account, or add this one to the account first.${column === undefined ? '' : ` ${howToLeaveOut(column)}`}`,
	);
}

const isDomain = (reference: Reference): reference is DomainReference => reference.kind === 'host';

/**
 * Reads the account's own spelling of the domains that rows name. A service drops the path, or the whole domain, if it is spelled
 * differently. A host that is not the account's is refused, unless its domains can't be read.
 */
export async function findDomains(rows: readonly LinkRow[]): Promise<void> {
	const asking = (
		await mapYielding(rows, (row) =>
			referencesOf(row, isDomain).map((domain) => ({ row, domain, host: hostOf(domain.name) })),
		)
	).flat();
	if (asking.length === 0) return;
	const finder = new LinkFinder(asking[0].row);
	const { spellings } = asking[0].row.state;
	const domains = await finder.domains().catch((error: unknown) => {
		for (const { row } of asking) row.refuse(error);
		return [];
	});
	for (const domain of domains) spellings.set(hostOf(domain), domain);
	if (!finder.links.areDomainsKnown) return;
	const others = asking.filter(({ host }) => !spellings.has(host));
	await finder.findHosts(new Set(others.flatMap(({ host }) => host ?? [])));
	for (const { row, domain, host } of others) {
		if (host === undefined || !finder.links.hasHost(host)) row.refuse(unknownDomain(domain, domains));
	}
}
