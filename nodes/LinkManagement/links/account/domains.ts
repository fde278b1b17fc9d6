import { listed, ValueError } from '../../service/answer/errors';
import { inQuotes } from '../../service/answer/failures';
import type { LinkRow } from '../linkRow';
import { namedIn } from './named';
import { type DomainReference, howToLeaveOut, type Reference } from '../reference';
import { hostOf } from '../url';

function unknownDomain({ name, column }: DomainReference, domains: readonly string[]): ValueError {
	return new ValueError(
		`Domain is not one of the account's: "${name}". ${domains.length === 0 ? 'It has no domains' : `It has ${listed(domains.map(inQuotes))}`}`,
		`Choose a domain of the account, or add this one to the account first.${column === undefined ? '' : ` ${howToLeaveOut(column)}`}`,
	);
}

const isDomain = (reference: Reference): reference is DomainReference => reference.kind === 'host';

/**
 * Puts the account's own spelling of the domains that rows name into their requests. A service drops the path, or the whole domain, if
 * it is spelled differently. A host that is not the account's is refused, unless its domains can't be read.
 */
export async function findDomains(rows: readonly LinkRow[]): Promise<void> {
	const asking = await namedIn(rows, isDomain);
	if (asking.length === 0) return;
	const { account } = asking[0].row;
	const domains = await account.domains().catch((error: unknown) => {
		for (const { row } of asking) row.refuse(error);
		return [];
	});
	const spellings = new Map(domains.map((domain) => [hostOf(domain), domain]));
	const others = new Set<string>();
	for (const { reference, put } of asking) {
		const host = hostOf(reference.name) ?? '';
		if (!spellings.has(host)) others.add(host);
		put(spellings.get(host) ?? reference.name);
	}
	if (!account.index.areDomainsKnown) return;
	await account.findHosts(others);
	for (const { row, reference } of asking) {
		const host = hostOf(reference.name) ?? '';
		if (others.has(host) && !account.index.hasHost(host)) row.refuse(unknownDomain(reference, domains));
	}
}
