/** What is read of a sheet, what is left alone, and what is said of it: in runs of the node. */
import type { IDataObject } from 'n8n-workflow';

import { hintsOf, run } from './host';
import { CONTINUE, openAccount, upsertOf } from './account';

const account = openAccount();
const shop = (path: number | string) => `https://shop.example/${path}`;

beforeEach(async () => {
	await account.has('field', { domains: ['https://go.acme.example'], campaigns: [{ id: 4, name: 'Start' }] });
});

/** The bodies that were sent, and what is said. */
async function sentFor(rows: IDataObject[], parameters: IDataObject = upsertOf()): Promise<[IDataObject[], string]> {
	const outcome = await run(parameters, { credential: account.credential, rows, node: CONTINUE });
	const requests = (await account.sandbox.requests()).filter(({ method }) => method !== 'GET');
	const failed = outcome.items.flatMap(({ json }) => (json.error ? [String(json.error)] : []));
	return [requests.map(({ body }) => body as IDataObject), [...hintsOf(outcome), ...failed].join(' ')];
}

const mapped = (value: IDataObject) => ({ ...upsertOf(), columns: { mappingMode: 'defineBelow', value } });

test.each<[IDataObject, IDataObject, RegExp]>([
	[{ URL: shop(1), Slug: 'silva' }, { url: shop(1) }, /Left alone, since they may mean something else here: Slug\./],
	[
		{ 'Long URL': shop(1), Password: 'x', Username: 'ana' },
		{ url: shop(1) },
		/Left alone beside the name of a user: Password\. To have it read, map the columns by hand\./,
	],
	[{ URL: shop(1), Alias: 'a', Status: 'public' }, { url: shop(1), custom: 'a' }, /Columns ignored: Status\./],
	[{ URL: shop(1), Titel: 'T' }, { url: shop(1), metatitle: 'T' }, /Titel becomes the public title of the preview/],
	[
		{ 'Long URL': shop(1), Vervaldatum: '2031-12-31' },
		{ url: shop(1), expiry: '2031-12-31 23:59:59' },
		/Vervaldatum ends the links\./,
	],
	[
		{ 'Final URL': shop(1), 'Campaign Source': 'mail', 'Campaign Medium': 'email', 'Campaign Name': 'May' },
		{ url: shop(1) },
		/Left alone, since they may mean something else here: Campaign Name\. .* Columns ignored: Campaign Source, /,
	],
	[{ url: shop('1?utm_source=own'), utm_source: 'other' }, { url: shop('1?utm_source=own') }, /./],
	[{ url: shop('1?q=why?'), utm_source: 'a b' }, { url: shop('1?q=why?&utm_source=a%20b') }, /./],
	[{ url: shop('1?'), 'UTM Source': 'a&b', 'UTM Term': '' }, { url: shop('1?utm_source=a%26b') }, /./],
	[{ url: shop('1?q=1&#top'), utm_source: 'mail' }, { url: shop('1?q=1&utm_source=mail#top') }, /./],
])('%j: what is read, and what is said', async (row, body, says) => {
	const [sent, said] = await sentFor([row, {}]);
	expect(sent).toEqual([body]);
	expect(said).toMatch(says);
});

test('the columns that are read are named, all of them, as soon as one has another name', async () => {
	const [, said] = await sentFor([{ 'Long URL': shop(1), Alias: 'a', Expires: '2031-12-31', Notiz: 'x' }, {}]);
	expect(said).toContain('Columns read: Long URL, Alias, Expires as Expiry.');
	expect(said).toContain('Columns ignored: Notiz.');
});

test.each<[IDataObject, RegExp]>([
	[{ url: shop(1), Kampagne: 'Nope' }, /There is no campaign named "Nope".* If the column "Kampagne" is not meant/],
	[
		{ url: shop(1), Domain: 'www.example.com' },
		/Domain is not one of the account's: .* If the column "Domain" is not meant for the link, set Mapping Column Mode/,
	],
	[{ url: shop(1), Domain: '(default)' }, /Domain is not a domain: "\(default\)"\. Enter one such as .*, or nothing\./],
])(
	'%j fails, and names the column as the sheet does; left out of a mapping by hand, the row is done',
	async (row, says) => {
		expect((await sentFor([row]))[1]).toMatch(says);
		expect((await sentFor([row], mapped({ url: '={{ $json.url }}' })))[0]).toEqual([{ url: shop(1) }]);
	},
);

describe('a mapping by hand', () => {
	test('takes the names of outputs and of the editor for its keys', async () => {
		const [sent] = await sentFor(
			[{}],
			mapped({ longurl: shop(1), alias: 'one', expires: '2031-12-31', title: 'T', password: 'hunter2' }),
		);
		expect(sent).toEqual([
			{ url: shop(1), custom: 'one', expiry: '2031-12-31 23:59:59', metatitle: 'T', password: 'hunter2' },
		]);
	});

	test('with a key that means no field is refused', async () => {
		const [sent, said] = await sentFor([{}], mapped({ url: shop(1), nickname: 'one' }));
		expect(sent).toEqual([]);
		expect(said).toMatch(/^Columns maps "nickname", which is no field\. Use one of url, custom, shorturl, domain,/);
	});
});

describe('UTM parameters of the fields', () => {
	const utm = { utm: { value: { source: 'mail', medium: '', campaign: 'May sale' } } };

	test('are added to the long URL of a new link, as far as it has none', async () => {
		const create = { resource: 'link', operation: 'create', url: shop('1?utm_source=own'), linkFields: utm };
		const [sent] = await sentFor([{}], create);
		expect(sent).toEqual([{ url: shop('1?utm_source=own&utm_campaign=May%20sale') }]);
	});

	test('are added to the new long URL of an update, and need one', async () => {
		await account.sandbox.createRecords({ links: [{ id: 7, alias: 'a', longurl: shop('a?utm_source=own&x=1#top') }] });
		const update = (linkFields: IDataObject) => ({
			resource: 'link',
			operation: 'update',
			linkId: { __rl: true, mode: 'id', value: 7 },
			linkFields: { ...utm, ...linkFields },
		});
		const [sent, said] = await sentFor([{}], update({}));
		expect(sent).toEqual([]);
		expect(said).toMatch(/is added to the long URL, and the row has none/);
		expect((await sentFor([{}], update({ url: shop('b?utm_source=x') })))[0].at(-1)).toMatchObject({
			url: shop('b?utm_source=x&utm_campaign=May%20sale'),
		});
	});

	test('of two rows that mean one link and differ, none is done', async () => {
		await account.sandbox.createRecords({ links: [{ id: 7, alias: 'a', longurl: shop('a') }] });
		const update = {
			resource: 'link',
			operation: 'update',
			linkId: { __rl: true, mode: 'id', value: 7 },
			linkFields: { url: shop('b'), utm: { value: { source: '={{ $json.from }}' } } },
		};
		const [sent, said] = await sentFor([{ from: 'mail' }, { from: 'print' }], update);
		expect(sent).toEqual([]);
		expect(said).toMatch(/with different values: Long URL/);
	});
});
