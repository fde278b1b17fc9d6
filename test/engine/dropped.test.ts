/** Services that drop aliases or domains without a word, or write aliases otherwise: how many wrong links are made, and what is said. */
import type { IDataObject } from 'n8n-workflow';

import { CONTINUE } from './account';
import { credential, itemsOf, openService } from './service';
import { serve } from './serve';

openService();

const GO = 'https://go.example.com';

/** What a service makes of a creation, as its n-th one. */
type Makes = (asked: IDataObject, nth: number) => { host?: string; alias?: string };

/** A service whose key may create links, and read nothing. */
async function serviceThat(makes: Makes) {
	const made: string[] = [];
	const address = await serve((request, response) => {
		const parts: Buffer[] = [];
		request.on('data', (part: Buffer) => parts.push(part));
		request.on('end', () => {
			const end = (answer: object) =>
				void response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
			if (request.method !== 'POST')
				return end({ error: 1, message: 'You do not have access to this endpoint with this API key.' });
			const asked = JSON.parse(Buffer.concat(parts).toString()) as IDataObject;
			const { host = 'https://own.example', alias = `x${made.length}` } = makes(asked, made.length);
			made.push(`${host}/${alias}`);
			end({ error: 0, id: made.length, shorturl: made.at(-1) });
		});
	});
	const create = async (rows: IDataObject[]) => {
		const linkFields = {
			custom: '={{ $json.alias }}',
			domain: { __rl: true, mode: 'url', value: '={{ $json.domain }}' },
		};
		const parameters = { resource: 'link', operation: 'create', url: '={{ $json.url }}', linkFields };
		return await itemsOf(parameters, { rows, node: CONTINUE, credential: credential({ baseUrl: address }) });
	};
	return { made, create };
}

const rows = (count: number, more: (at: number) => IDataObject) =>
	Array.from({ length: count }, (_, at) => ({ url: `https://example.com/${at}`, alias: `row-${at}`, ...more(at) }));

const asAsked = ({ custom, domain }: IDataObject) => ({
	alias: custom as string | undefined,
	...(domain === undefined ? {} : { host: String(domain) }),
});

/** Most creations that are out at once. */
const MOST_OUT = 32;

test('an alias that is dropped is told with the link that was made, also where the key may read nothing', async () => {
	const { made, create } = await serviceThat(() => ({}));
	const [first, second] = await create(rows(2, () => ({ domain: '' })));
	expect(made).toHaveLength(1);
	expect(first.error).toContain(`The service gave the link ${made[0]} (ID 1), whose alias is not "row-0"`);
	expect(first.existingLink).toEqual({ id: 1, shorturl: made[0] });
	expect(second.error).toContain(`the first one became ${made[0]}`);
});

test('a domain that the service replaces makes one wrong link, whatever another domain has shown before', async () => {
	const { made, create } = await serviceThat((asked) =>
		asked.domain === GO ? asAsked(asked) : { alias: asked.custom as string },
	);
	const items = await create(rows(80, (at) => ({ domain: at === 0 ? GO : 'https://g0.example.com' })));
	expect(made).toEqual([`${GO}/row-0`, 'https://own.example/row-1']);
	for (const { error } of items.slice(2))
		expect(error).toContain('the first one became https://own.example/row-1 (ID 2)');
});

test('an alias that is dropped off the own domains alone makes one wrong link there', async () => {
	const { made, create } = await serviceThat((asked) => (asked.domain === GO ? asAsked(asked) : {}));
	const items = await create(rows(80, (at) => ({ domain: at < 40 ? GO : '' })));
	expect(made).toHaveLength(41);
	expect(items.filter(({ error }) => /drops the alias of new links/.test(String(error)))).toHaveLength(39);
});

test('a domain that is dropped from the sixth link on stops those that are not out yet', async () => {
	const { made, create } = await serviceThat((asked, nth) =>
		nth < 5 ? asAsked(asked) : { alias: asked.custom as string },
	);
	const items = await create(rows(90, () => ({ domain: GO })));
	expect(made.length).toBeLessThanOrEqual(5 + MOST_OUT);
	const named = items.filter(({ error }) => /which is not on the domain/.test(String(error)));
	expect(named).toHaveLength(made.length - 5);
	expect(items.filter(({ error }) => error === undefined)).toHaveLength(5);
});

test('an alias that comes back without its signs or accents concerns its row alone, and is named with its address', async () => {
	const strip = (alias: unknown) => String(alias).replace(/[^a-z0-9]/g, '') || undefined;
	const { made, create } = await serviceThat((asked) => ({ alias: strip(asked.custom) }));
	const odd = ['v1.2', 'café', '…'];
	const items = await create(rows(30, (at) => ({ alias: odd[at] ?? `row${at}`, domain: '' })));
	expect(made).toHaveLength(30);
	expect(items.filter(({ error }) => error === undefined)).toHaveLength(27);
	const places = ['v12', 'caf', made[2].split('/').at(-1)];
	for (const [at, place] of places.entries())
		expect(items[at].error).toMatch(
			new RegExp(`/${place} \\(ID \\d+\\), whose alias is not "${odd[at]}"\\. The link was made`),
		);
});
