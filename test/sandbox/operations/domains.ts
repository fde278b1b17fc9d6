import {
	deleting,
	done,
	found,
	optionalText,
	ServiceError,
	text,
	withoutSlash,
	type Operating,
	type Operations,
} from '../operation';
import type { Store, StoredDomain } from '../records';

/** The account's domain with this address. */
export function domainNamed(store: Store, domain: string): StoredDomain | undefined {
	return store.domains.find((entry) => withoutSlash(entry.domain) === domain);
}

export function domainOperations({ store, behavior, pages }: Operating): Operations {
	return {
		domainGetAll: (call) =>
			pages.list(
				'domains',
				store.domains,
				'id',
				call,
				(domain) => ({ ...domain }),
				sharedDomains(behavior.sharedDomains),
			),
		domainCreate: ({ body }) => {
			const domain = withoutSlash(text(body.domain));
			if (domainNamed(store, domain)) throw new ServiceError('The domain has been already used.');
			if (/\.unpointed\./.test(domain)) throw new ServiceError('The domain is not pointed to our servers.');
			const redirectroot = optionalText(body.redirectroot) ?? null;
			const redirect404 = optionalText(body.redirect404) ?? null;
			const { id } = store.create('domains', { domain, redirectroot, redirect404 }, 'api');
			return { error: 0, id };
		},
		domainUpdate: ({ params, body }) => {
			const domain = found(store, 'domains', params.id);
			if (body.redirectroot !== undefined) domain.redirectroot = text(body.redirectroot);
			if (body.redirect404 !== undefined) domain.redirect404 = text(body.redirect404);
			return done('Domain has been updated successfully.');
		},
		domainDelete: deleting(store, 'domains'),
	};
}

/** Domains that the service lends to all accounts: they are listed without an ID. */
function sharedDomains(count: number): Array<Record<string, unknown>> {
	return Array.from({ length: count }, (_entry, index) => ({
		id: null,
		domain: `https://shared${index + 1}.example.net`,
		redirectroot: null,
		redirect404: null,
	}));
}
