import fc from 'fast-check';

import { linkIn, LinkIndex } from '../../nodes/LinkManagement/links/account';
import type { LinkRecord } from '../../nodes/LinkManagement/links/reference';
import { hostOf, isSameAddress } from '../../nodes/LinkManagement/links/url';

test('finds what a plain search through the records finds', () => {
	const record = fc.record({
		id: fc.integer({ min: 1, max: 8 }),
		alias: fc.constantFrom('a', 'b', 'c'),
		host: fc.constantFrom('x.example', 'y.example'),
		path: fc.constantFrom('', '1', '1/', '2'),
		more: fc.constantFrom({}, { title: 'Über 路', domain: null }, { uniqueclicks: '7', tags: ['a'] }),
	});
	const change = fc.oneof(
		record.map((made) => ({ made })),
		fc.integer({ min: 1, max: 8 }).map((gone) => ({ gone })),
	);
	fc.assert(
		fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
			const index = new LinkIndex('https://lnk.example');
			const plain = new Map<number, LinkRecord>();
			for (const one of changes) {
				if ('gone' in one) {
					index.delete({ id: one.gone });
					plain.delete(one.gone);
					continue;
				}
				const { id, alias, host, path, more } = one.made;
				const urls = { shorturl: `https://${host}/${alias}`, longurl: `https://example.com/${path}` };
				const made = { id, alias, ...urls, ...more };
				index.put(made);
				plain.set(id, made);
			}
			for (let id = 1; id <= 8; id++) expect(index.get({ id })).toEqual(plain.get(id));
			const sorted = (records: LinkRecord[]) => [...records].sort((one, other) => Number(one.id) - Number(other.id));
			for (const alias of ['a', 'b', 'c', 'nobody']) {
				for (const host of [undefined, 'x.example', 'y.example']) {
					const meant = [...plain.values()].filter(
						(one) => one.alias === alias && (host === undefined || hostOf(one.shorturl) === host),
					);
					expect(sorted(index.matching({ by: 'alias', alias, domain: host }))).toEqual(sorted(meant));
				}
			}
			for (const url of ['https://example.com', 'HTTPS://EXAMPLE.com/1', 'not an address']) {
				const meant = [...plain.values()].filter((one) => isSameAddress(one.longurl, url));
				expect(sorted(index.matching({ by: 'url', url }))).toEqual(sorted(meant));
			}
		}),
	);
});

test.each([
	['https://lnk.example/spring', 'https://lnk.example/summer'],
	['http://lnk.example/links/spring/', 'http://lnk.example/links/summer'],
])('where %s was seen, another alias stands at %s', (shorturl, address) => {
	const index = new LinkIndex('https://links.example');
	index.put({ id: 1, alias: 'spring', shorturl });
	expect(index.addressOf({ by: 'alias', alias: 'summer', domain: 'https://lnk.example' })).toBe(address);
});

test('a link whose ID was not told is known by its short URL, until it is seen with its ID', () => {
	const made: LinkRecord = { alias: 'a1', shorturl: 'https://lnk.example/a1', longurl: 'https://example.com/1' };
	const index = new LinkIndex('https://lnk.example');
	index.put(made);
	index.put({ ...made, id: 2, alias: 'a2', shorturl: 'https://lnk.example/a2' });
	expect(index.matching({ by: 'alias', alias: 'a1' })).toEqual([made]);
	const seen = { ...made, id: 1, title: 'Seen' };
	index.put(seen);
	expect(index.matching({ by: 'url', url: 'https://example.com/1' })).toHaveLength(2);
	expect(index.matching({ by: 'shortUrl', shortUrl: 'http://lnk.example/a1/' })).toEqual([seen]);
	expect(index.matching({ by: 'shortUrl', shortUrl: 'https://lnk.example/qr/a1' })).toEqual([]);
});

test('the link of an answer without an ID has the one that was asked for', () => {
	const details = { data: { alias: 'a', longurl: 'https://example.com/', expiry: '2031-01-01' } };
	expect(linkIn(details, 5)).toEqual({ id: 5, alias: 'a', longurl: 'https://example.com/' });
	expect(linkIn({ id: 7, alias: 'a' })).toEqual({ id: 7, alias: 'a' });
});
