import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/**
 * The domains to which the user keeps a credential: n8n adds these two fields to every credential that can be used in other nodes,
 * and some versions hold only their own HTTP Request node to them (read in n8n-workflow 2.0.1 and 2.41.0).
 *
 * @returns undefined where it may go anywhere
 */
export function allowedDomains(credential: ICredentialDataDecryptedObject): string[] | undefined {
	if (credential.allowedHttpRequestDomains !== 'domains') return undefined;
	return (typeof credential.allowedDomains === 'string' ? credential.allowedDomains : '')
		.split(',')
		.map((domain) => domain.trim().toLowerCase().replace(/\.$/, ''))
		.filter((domain) => domain !== '');
}

/** Whether a host is among such domains, of which `*.` before one means its subdomains. */
export function isAllowed(host: string, domains: string[]): boolean {
	const name = host.replace(/\.$/, '');
	return domains.some((domain) => (domain.startsWith('*.') ? name.endsWith(domain.slice(1)) : name === domain));
}
