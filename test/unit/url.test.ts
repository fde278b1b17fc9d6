import fc from 'fast-check';

import { shortUrlIn } from '../../nodes/LinkManagement/fields/addresses';
import { addressKey, aliasBelow, aliasOf, isSameAddress, isSameShortUrl } from '../../nodes/LinkManagement/links/url';

test.each([
	['https://example.com', 'HTTPS://Example.com/', true],
	['https://example.com:443/a', 'https://example.com/a', true],
	['https://example.com/a', 'https://example.com/a/', false],
	['https://example.com/a', 'https://example.com/A', false],
	['https://example.com/a', 'http://example.com/a', false],
	['https://example.com/a?b=1', 'https://example.com/a', false],
	['https://example.com/?next=/', 'https://example.com/?next=', false],
	['https://example.com/#/', 'https://example.com/#', false],
	['https://example.com/?to=https://shop', 'https://example.com/?to=https://shop/', false],
	['https://example.com/a/../ø', 'https://EXAMPLE.com/%C3%B8', true],
	['https://example.com/%2D%41', 'https://example.com/-A', false],
	['https://example.com/a%2fb', 'https://example.com/a%2Fb', false],
	['https://example.com/a%2Fb', 'https://example.com/a/b', false],
	['https://example.com/?a=1+2', 'https://example.com/?a=1%202', false],
	['https://example.com/?a=1&b=2', 'https://example.com/?b=2&a=1', false],
	['https://example.com/?a=1&amp;b=2', 'https://example.com/?a=1&b=2', false],
	['https://example.com/?a%5B%5D', 'https://example.com/?a[]', false],
	['no address', 'no address', false],
])('%s and %s: the same address is %s', (one, other, isSame) => {
	expect(isSameAddress(one, other)).toBe(isSame);
	expect(addressKey(one) !== undefined && addressKey(one) === addressKey(other)).toBe(isSame);
});

test.each([
	['https://lnk.example/spring', 'http://LNK.example/spring/', true],
	['lnk.example/spring', 'https://lnk.example/spring?utm_source=mail#top', true],
	['https://lnk.example/f%C3%BCr', 'https://lnk.example/für', true],
	['https://lnk.example/spring', 'https://lnk.example/Spring', false],
	['https://lnk.example/spring', 'https://lnk.example/qr/spring', false],
	['https://lnk.example/spring/qr', 'https://lnk.example/spring', false],
	['https://lnk.example/spring', 'https://go.example/spring', false],
	['https://lnk.example:8080/spring', 'https://lnk.example/spring', false],
	['https://lnk.example/', 'https://lnk.example', false],
])('%s and %s: the same short URL is %s', (one, other, isSame) => {
	expect(isSameShortUrl(one, other)).toBe(isSame);
});

test.each([
	[{ alias: 'spring', shorturl: 'https://lnk.example/else' }, 'spring'],
	[{ alias: 12 }, '12'],
	[{ shorturl: 'https://lnk.example/spring' }, 'spring'],
	[{ shorturl: 'https://lnk.example/s/fr%C3%BChling/' }, 's/frühling'],
	[{ alias: '', shorturl: 'https://lnk.example' }, undefined],
	[{}, undefined],
])('the alias of %j is %s', (record, alias) => {
	expect(aliasOf(record)).toBe(alias);
});

test.each([
	['https://lnk.example', 'qr/poster'],
	['https://lnk.example/qr/', 'poster'],
	['https://lnk.example/q', undefined],
])('below %s, https://lnk.example/qr/poster has the alias %s', (base, alias) => {
	expect(aliasBelow(base, 'https://lnk.example/qr/poster')).toBe(alias);
});

test.each([
	['https://lnk.example/spring', 'https://lnk.example/spring'],
	['lnk.example/spring', 'https://lnk.example/spring'],
	[' https://lnk.example/spring/?utm_source=mail#top ', 'https://lnk.example/spring'],
	['https://lnk.example/spring/qr', 'https://lnk.example/spring/qr'],
	['http://localhost:5678/links/spring', 'http://localhost:5678/links/spring'],
	['hxxp://lnk[.]example/spring', 'http://lnk.example/spring'],
	['hXXps[://]lnk(.)example/spring', 'https://lnk.example/spring'],
	['h**ps://lnk[dot]example/spring', 'https://lnk.example/spring'],
	['https://lnk.example', undefined],
	['two words', undefined],
	['ftp://lnk.example/spring', undefined],
])('the pasted address %s is the short URL %s', (pasted, shortUrl) => {
	expect(shortUrlIn(pasted)).toBe(shortUrl);
});

test('another reserved character is another long URL', () => {
	// The apostrophe aside: everything that opens an address encodes it.
	const reserved = fc.constantFrom(...':/?#[]@!$&()*+,;=');
	fc.assert(
		fc.property(reserved, (character) => {
			const encoded = `%${character.charCodeAt(0).toString(16)}`;
			expect(isSameAddress(`https://example.com/?a${character}b`, `https://example.com/?a${encoded}b`)).toBe(false);
		}),
	);
});
