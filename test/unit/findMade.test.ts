/** Which link a creation has made whose answer was lost: what the account shows decides, and two readings are none. */
import { Account, NewLinks } from '../../nodes/LinkManagement/links/account';
import type { LinkFields } from '../../nodes/LinkManagement/links/linkFields';
import { Learned } from '../../nodes/LinkManagement/service/learned';
import type { ServiceClient } from '../../nodes/LinkManagement/service/send/serviceClient';

const OWN = 'https://links.example';
const GO = 'https://go.example';
const url = 'https://example.com/page';

const at = (id: number, host: string, longurl = url, alias = `link-${id}`) => ({
	id,
	alias,
	shorturl: `${host}/${alias}`,
	longurl,
});

/** What is found among the newest links of an account with one domain of its own, which ignores short URLs. */
async function found(links: object[], fields: LinkFields): Promise<unknown> {
	const client = {
		connection: { address: OWN, learned: new Learned() },
		lookUp: async () => await Promise.resolve({ data: { urls: links, result: links.length, nextpage: null } }),
		send: async ({ path }: { path: string }) => {
			const data = path === '/api/domains' ? { domains: [{ id: 1, domain: GO }], result: 1 } : { urls: links };
			return await Promise.resolve({ data: { ...data, nextpage: null, maxpage: 1 } });
		},
	} as unknown as ServiceClient;
	return await new Account(client, new NewLinks(new Map())).findMade(fields, 10);
}

test.each<[string, object[], LinkFields, number | undefined]>([
	['one with the long URL', [at(2, OWN), at(1, OWN, 'https://example.com/other')], { url }, 2],
	['none with the long URL', [at(1, OWN, 'https://example.com/other')], { url }, undefined],
	['two with the long URL', [at(2, OWN), at(1, OWN)], { url }, undefined],
	['one on a domain, which was not asked for', [at(1, GO)], { url }, undefined],
	['one on a domain beside one that is not', [at(2, GO), at(1, OWN)], { url }, 1],
	['one on the domain that was asked for', [at(2, GO), at(1, OWN)], { url, domain: GO }, 2],
	['one with the alias', [at(2, OWN, url, 'a'), at(1, OWN)], { url, custom: 'a' }, 2],
	['one with the alias elsewhere', [at(1, GO, url, 'a')], { url, custom: 'a' }, undefined],
])('%s', async (_, links, fields, id) => {
	expect(((await found(links, fields)) as { id: number } | undefined)?.id).toBe(id);
});
