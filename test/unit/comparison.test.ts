import { changesOf, differences, needsDetails } from '../../nodes/LinkManagement/links/comparison';
import { MASK } from '../../nodes/LinkManagement/service/redact';
import type { LinkRecord } from '../../nodes/LinkManagement/links/reference';

const spring: LinkRecord = {
	id: 1,
	alias: 'spring',
	shorturl: 'https://lnk.example/spring',
	longurl: 'https://example.com/spring',
	clicks: 4,
	title: 'Spring',
	description: 'A note',
	date: '2025-01-02 03:04:05',
};

test('a field that is not shown counts as different, the domain never, and one that details show is looked at', () => {
	expect(differences({ custom: 'spring', status: 'public' }, spring)).toEqual(['status']);
	expect(differences({ domain: 'https://lnk.example', custom: 'spring' }, spring)).toEqual([]);
	expect(differences({ campaign: 3 }, { ...spring, campaign: '3' })).toEqual([]);
	expect(differences({ campaign: 3 }, { ...spring, campaign: null })).toEqual(['campaign']);
	expect(differences({ campaign: 3 }, { ...spring, campaign: { id: '3', name: 'Fair' } })).toEqual([]);
	expect(needsDetails({ expiry: '2030-01-01 00:00:00' })).toBe(true);
});

test.each([
	[{ germany: 'https://example.com/de', 'united states': 'https://example.com/us' }, true],
	[{ germany: { all: 'https://EXAMPLE.com/de' }, 'United States': 'https://example.com/us' }, true],
	[{ germany: 'https://example.com/de' }, false],
	[{ germany: 'https://example.com/de', 'united states': { california: 'https://example.com/ca' } }, false],
	[[], false],
	[null, false],
])('two targets and what details show, %j: the same is %s', (location, isSame) => {
	const geotarget = [
		{ location: 'Germany', link: 'https://example.com/de' },
		{ location: 'United States', link: 'https://example.com/us' },
	];
	expect(differences({ geotarget }, { ...spring, location })).toEqual(isSame ? [] : ['geotarget']);
});

test.each([
	['2031-05-06 07:08:09', true],
	['2031-05-06T07:08:09Z', true],
	['2031-05-06', true],
	['2031-05-06 23:59:59', false],
	['2031-05-07', false],
	[null, false],
])('an expiry that details show as %s is the same: %s', (expiry, isSame) => {
	expect(differences({ expiry: '2031-05-06 07:08:09' }, { ...spring, expiry })).toEqual(isSame ? [] : ['expiry']);
});

test('changes are told under the names of the record, and a password is masked', () => {
	const fields = {
		url: 'https://example.com/b',
		password: 'hush',
		pixels: [1],
		devicetarget: [{ device: 'iPhone', link: 'https://example.com/ios' }],
	};
	expect(changesOf(fields, { ...spring, device: null })).toEqual({
		longurl: { from: 'https://example.com/spring', to: 'https://example.com/b' },
		password: { to: MASK },
		pixels: { to: [1] },
		device: { from: {}, to: { iphone: 'https://example.com/ios' } },
	});
});
