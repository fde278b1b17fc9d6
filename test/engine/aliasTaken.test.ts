/** If Alias Exists → Let the Service Choose Another: each row gets a link of its own, and a repeated call of a tool gets its link. */
import type { IDataObject } from 'n8n-workflow';

import { DIALECTS } from '../sandbox';
import { CONTINUE, openAccount } from './account';
import { agentWith, answersTo } from './agent';
import { by } from './host';

const account = openAccount();

const shop = (path: string | number) => `https://shop.example.com/${path}`;

const create = {
	resource: 'link',
	operation: 'create',
	url: '={{ $json.url }}',
	linkFields: { custom: '={{ $json.alias }}', description: '={{ $json.note }}' },
	options: { ifAliasExists: 'another' },
};

const asked = async () =>
	(await account.sandbox.requests())
		.filter(({ method }) => method === 'POST')
		.map(({ body }) => (body as IDataObject).custom);

describe.each(DIALECTS)('in the dialect of the %s', (dialect) => {
	test('a taken alias is asked for once, and the link is made without it, with all its other fields', async () => {
		await account.has(dialect, { links: [{ alias: 'taken', longurl: shop('there') }] });
		const { items, error } = await account.work(create, [{ url: shop(1), alias: 'taken', note: 'Fair' }]);
		expect(error).toBeUndefined();
		expect(await asked()).toEqual(['taken', undefined]);
		const [there, made] = await account.sandbox.links();
		expect(there.longurl).toBe(shop('there'));
		expect(made).toMatchObject({ longurl: shop(1), description: 'Fair' });
		expect(items[0].json).toEqual({
			...items[0].json,
			id: made.id,
			shorturl: made.shorturl,
			alias: made.alias,
			longurl: shop(1),
		});
	});

	test('of rows with one alias the first gets it, and the others get one each', async () => {
		await account.has(dialect, { deviations: { knownLongUrl: 'new' } });
		const rows = [1, 2, 3, 4].map((at) => ({ url: shop(at), alias: at === 4 ? 'free' : 'mine' }));
		const { items } = await account.work(create, rows, 'at once', CONTINUE);
		expect(items.map(({ json }) => json.longurl)).toEqual(rows.map(({ url }) => url));
		const aliases = items.map(({ json }) => json.alias);
		expect([aliases[0], aliases[3]]).toEqual(['mine', 'free']);
		expect(new Set(aliases).size).toBe(4);
		expect(await account.sandbox.links()).toHaveLength(4);
	});

	test.each(['lowered', 'stripped'] as const)(
		'an alias that the service writes in its own way (%s) will do',
		async (aliasKept) => {
			await account.has(dialect, { deviations: { aliasKept } });
			const { items, error } = await account.work(create, [{ url: shop(1), alias: 'My-Fair' }]);
			expect(error).toBeUndefined();
			const [made] = await account.sandbox.links();
			expect(items[0].json).toMatchObject({ id: made.id, shorturl: made.shorturl, alias: made.alias });
			expect(await account.sandbox.links()).toHaveLength(1);
		},
	);

	test('where the plan has no aliases, all rows are made, each with the alias that came', async () => {
		await account.has(dialect, { deviations: { aliasDropped: true, knownLongUrl: 'new' } });
		const rows = [1, 2, 3].map((at) => ({ url: shop(at), alias: `row-${at}` }));
		const { items } = await account.work(create, rows, 'at once', CONTINUE);
		const links = await account.sandbox.links();
		expect(links).toHaveLength(3);
		expect(items.map(({ json }) => json.alias).sort()).toEqual(links.map(({ alias }) => alias).sort());
	});

	test('another domain than was asked for is an error all the same', async () => {
		const go = 'https://go.example.com';
		await account.has(dialect, { domains: [go], deviations: { domainDropped: true } });
		const linkFields = { ...create.linkFields, domain: by('url', go) };
		const { items } = await account.work(
			{ ...create, linkFields },
			[{ url: shop(1), alias: 'a' }],
			'at once',
			CONTINUE,
		);
		expect(items[0].json.error).toContain(`which is not on the domain ${go}`);
	});

	test('a refusal for another reason is told in its own words, after two requests', async () => {
		await account.has(dialect, {});
		const message = 'This page is on a list of malware.';
		await account.sandbox.setFaults([{ kind: 'errorEnvelope', message, match: { method: 'POST' } }]);
		const { error } = await account.work(create, [{ url: shop(1), alias: 'a' }]);
		expect(error?.message).toBe('The service says "This page is on a list of malware"');
		expect(await asked()).toEqual(['a', undefined]);
	});

	test('an answer that is lost makes no second link', async () => {
		await account.has(dialect, {
			links: [{ alias: 'taken', longurl: shop('there') }],
			deviations: { knownLongUrl: 'new' },
		});
		for (const [after, alias] of [
			[0, 'free'],
			[1, 'taken'],
		] as const) {
			await account.sandbox.setFaults([{ kind: 'dropAfter', match: { method: 'POST' }, after, times: 1 }]);
			const { items, error } = await account.work(create, [{ url: shop(alias), alias }]);
			if (alias === 'free') expect(items[0].json).toMatchObject({ alias });
			else expect(error?.message).toMatch(/may have been created anyway/);
			expect((await account.sandbox.links()).filter(({ longurl }) => longurl === shop(alias))).toHaveLength(1);
		}
	});

	test('a refusal is told in its own words where a tool can not look for the link', async () => {
		await account.has(dialect, { links: [{ alias: 'fair', longurl: shop('there') }] });
		await account.sandbox.setFaults([{ kind: 'errorEnvelope', message: 'Not now.', match: { method: 'GET' } }]);
		const shorten = { ...create, url: shop(1), linkFields: { custom: 'fair' }, options: {} };
		const agent = agentWith(account.credential, { shorten }, [['shorten', {}]]);
		const [{ failure }] = (await answersTo(agent, account.credential)).answers;
		expect(failure).toContain('The service says "That alias is taken');
	});

	test('a repeated call of a tool gets the link that it has made, and another page a link of its own', async () => {
		await account.has(dialect, { deviations: { knownLongUrl: 'new' } });
		const given = (name: string) => `={{ $fromAI('${name}', '', 'string', '') }}`;
		const shorten = { ...create, url: given('url'), linkFields: { custom: given('alias') } };
		const call = async (url: string) => {
			const agent = agentWith(account.credential, { shorten }, [['shorten', { url, alias: 'fair' }]]);
			const [{ answer }] = (await answersTo(agent, account.credential)).answers;
			return (JSON.parse(String(answer)) as IDataObject[])[0];
		};
		const first = await call(shop(1));
		expect(await call(shop(1))).toMatchObject({ id: first.id, shorturl: first.shorturl });
		expect((await call(shop(2))).alias).not.toBe('fair');
		expect(await account.sandbox.links()).toHaveLength(2);
	});
});
