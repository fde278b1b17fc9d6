import fc from 'fast-check';

import { linkIdOf, LinkIndex, type LinkRecord } from '../../nodes/LinkManagement/account/linkIndex';
import { hostOf, isSameAddress } from '../../nodes/LinkManagement/account/url';

function link(id: number | string, more: LinkRecord = {}): LinkRecord {
	return {
		id,
		alias: `a${id}`,
		shorturl: `https://lnk.example/a${id}`,
		longurl: `https://example.com/${id}`,
		clicks: 3,
		title: `Page ${id}`,
		description: '',
		date: '2025-01-02 03:04:05',
		...more,
	};
}

function indexOf(...records: LinkRecord[]): LinkIndex {
	const index = new LinkIndex();
	for (const record of records) index.add(record);
	return index;
}

test('gives back each record as it came, whatever fields it has', () => {
	const records = [link(1), link('2', { uniqueclicks: '7' }), link(3, { title: 'Über 路', domain: null, tags: ['a'] })];
	const index = indexOf(...records);
	expect(index.size).toBe(3);
	for (const record of records) expect(index.byId(linkIdOf(record)!)).toEqual(record);
	expect(index.byAlias('a2')).toEqual([records[1]]);
	expect(index.byLongUrl('HTTPS://EXAMPLE.com/3')).toEqual([records[2]]);
	expect(index.byAlias('nobody')).toEqual([]);
	expect(index.byLongUrl('not an address')).toEqual([]);
});

test('finds what a plain search through the records finds', () => {
	const record = fc.record({
		id: fc.integer({ min: 1, max: 8 }),
		alias: fc.constantFrom('a', 'b', 'c'),
		host: fc.constantFrom('x.example', 'y.example'),
		path: fc.constantFrom('', '1', '1/', '2'),
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
				const { id, alias, host, path } = one.made;
				const made = { id, alias, shorturl: `https://${host}/${alias}`, longurl: `https://example.com/${path}` };
				index.add(made);
				plain.set(id, made);
			}
			expect(index.size).toBe(plain.size);
			const sorted = (records: LinkRecord[]) => [...records].sort((one, other) => Number(one.id) - Number(other.id));
			for (const alias of ['a', 'b', 'c']) {
				for (const host of [undefined, 'x.example', 'y.example']) {
					const meant = [...plain.values()].filter(
						(one) => one.alias === alias && (host === undefined || hostOf(one.shorturl) === host),
					);
					expect(sorted(index.byAlias(alias, host))).toEqual(sorted(meant));
				}
			}
			for (const url of ['https://example.com', 'https://example.com/1']) {
				const meant = [...plain.values()].filter((one) => isSameAddress(one.longurl, url));
				expect(sorted(index.byLongUrl(url))).toEqual(sorted(meant));
			}
		}),
	);
});

test('a link whose ID was not told is known by its short URL, until it is seen with its ID', () => {
	const { id: _id, ...made } = link(1);
	const index = indexOf(made, link(2));
	expect(index.byAlias('a1')).toEqual([made]);
	index.add(link(1, { title: 'Seen' }));
	expect(index.size).toBe(2);
	expect(index.byShortUrl('http://lnk.example/a1/')).toEqual([link(1, { title: 'Seen' })]);
	expect(index.byShortUrl('https://lnk.example/qr/a1')).toEqual([]);
});
