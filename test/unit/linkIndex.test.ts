import fc from 'fast-check';

import { LinkIndex, type LinkRecord } from '../../nodes/LinkManagement/links/linkIndex';
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
			const index = new LinkIndex();
			const plain = new Map<number, LinkRecord>();
			for (const one of changes) {
				if ('gone' in one) {
					index.remove(one.gone);
					plain.delete(one.gone);
					continue;
				}
				const { id, alias, host, path, more } = one.made;
				const urls = { shorturl: `https://${host}/${alias}`, longurl: `https://example.com/${path}` };
				const made = { id, alias, ...urls, ...more };
				index.add(made);
				plain.set(id, made);
			}
			expect([...index.all()]).toHaveLength(plain.size);
			for (let id = 1; id <= 8; id++) expect(index.byId(id)).toEqual(plain.get(id));
			const sorted = (records: LinkRecord[]) => [...records].sort((one, other) => Number(one.id) - Number(other.id));
			for (const alias of ['a', 'b', 'c', 'nobody']) {
				for (const host of [undefined, 'x.example', 'y.example']) {
					const meant = [...plain.values()].filter(
						(one) => one.alias === alias && (host === undefined || hostOf(one.shorturl) === host),
					);
					expect(sorted(index.byAlias(alias, host))).toEqual(sorted(meant));
				}
			}
			for (const url of ['https://example.com', 'HTTPS://EXAMPLE.com/1', 'not an address']) {
				const meant = [...plain.values()].filter((one) => isSameAddress(one.longurl, url));
				expect(sorted(index.byLongUrl(url))).toEqual(sorted(meant));
			}
		}),
	);
});

test('a link whose ID was not told is known by its short URL, until it is seen with its ID', () => {
	const made: LinkRecord = { alias: 'a1', shorturl: 'https://lnk.example/a1', longurl: 'https://example.com/1' };
	const index = new LinkIndex();
	index.add(made);
	index.add({ ...made, id: 2, alias: 'a2', shorturl: 'https://lnk.example/a2' });
	expect(index.byAlias('a1')).toEqual([made]);
	const seen = { ...made, id: 1, title: 'Seen' };
	index.add(seen);
	expect([...index.all()]).toHaveLength(2);
	expect(index.byShortUrl('http://lnk.example/a1/')).toEqual([seen]);
	expect(index.byShortUrl('https://lnk.example/qr/a1')).toEqual([]);
});
