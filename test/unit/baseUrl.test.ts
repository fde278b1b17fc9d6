import { isAtService, serviceAddress } from '../../nodes/LinkManagement/service/baseUrl';

describe('the base URL, as people paste it', () => {
	test.each([
		['https://links.example.com', 'https://links.example.com'],
		['  https://links.example.com/  ', 'https://links.example.com'],
		['https://links.example.com///', 'https://links.example.com'],
		['https://links.example.com/api', 'https://links.example.com'],
		['https://links.example.com/api/', 'https://links.example.com'],
		['HTTPS://Links.Example.com/API', 'https://links.example.com'],
		['http://localhost:8080/shorty/', 'http://localhost:8080/shorty'],
		['http://localhost:8080/shorty/api//', 'http://localhost:8080/shorty'],
		['https://example.com/my-api', 'https://example.com/my-api'],
		['links.example.com', 'https://links.example.com'],
		['links.example.com/app/', 'https://links.example.com/app'],
		['links.example.com:8443', 'https://links.example.com:8443'],
		['localhost:4312', 'https://localhost:4312'],
		['192.168.1.7/shorty', 'https://192.168.1.7/shorty'],
		['[::1]:4312', 'https://[::1]:4312'],
		['https://localhost:4312', 'https://localhost:4312'],
	])('%s → %s', (pasted, address) => {
		expect(serviceAddress(pasted)).toBe(address);
	});

	test.each([
		['', /no Base URL/],
		[undefined, /no Base URL/],
		['links', /not a web address/],
		['https:links.example.com', /not a web address/],
		['two words', /not a web address/],
		['ftp://links.example.com', /not a web address that begins with https:\/\/ or http:\/\//],
		['https://user:secret@links.example.com', /user name, a password/],
		['https://links.example.com/?key=secret', /a \? or a #/],
		['https://links.example.com/#top', /a \? or a #/],
	])('%s is refused in plain words, without repeating it', (pasted, message) => {
		expect(() => serviceAddress(pasted)).toThrow(message);
		try {
			serviceAddress(pasted);
		} catch (error) {
			expect((error as Error).message).not.toContain('secret');
		}
	});

	test('only the same scheme, host and port are the service', () => {
		const address = 'https://links.example.com/prefix';
		expect(isAtService(address, '/api/urls', address)).toBe(true);
		expect(isAtService(address, 'https://links.example.com/other?x=1')).toBe(true);
		expect(isAtService(address, 'HTTPS://LINKS.example.com/other')).toBe(true);
	});

	test.each([
		'http://links.example.com/api',
		'https://links.example.com:8443/api',
		'https://links.example.com.evil.example/api',
		'https://links.example.com@evil.example/api',
		'//evil.example/api',
		'https://',
		'',
		'/api/urls',
		'api/urls',
		'http:EVIL/x',
		'http:/EVIL/x',
		'http:\\EVIL/x',
		' http:EVIL',
		' https://links.example.com/api',
		'https:links.example.com/api',
		'https:/links.example.com/api',
		'https://links.example.com\\@evil.example/api',
		'https://links.example.com\t.evil.example/api',
		'https://evil.example\\links.example.com/api',
	])('the key is not sent to %j', (target) => {
		expect(isAtService('https://links.example.com/prefix', target)).toBe(false);
		const isPath = target === '/api/urls';
		expect(isAtService('https://links.example.com', target, 'https://links.example.com')).toBe(isPath);
		expect(isAtService('https://links.example.com', target, 'https://evil.example')).toBe(false);
	});
});
