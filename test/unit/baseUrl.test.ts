import { isAtService, serviceAddress } from '../../nodes/LinkManagement/api/baseUrl';

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
	])('%s → %s', (pasted, address) => {
		expect(serviceAddress(pasted)).toBe(address);
	});

	test.each([
		['', /no Base URL/],
		[undefined, /no Base URL/],
		['links.example.com', /not a URL|starts with/],
		['ftp://links.example.com', /ftp:\/\//],
		['https://user:secret@links.example.com', /user name or password/],
		['https://links.example.com/?key=secret', /query/],
		['https://links.example.com/#top', /fragment/],
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
		expect(isAtService(address, '/api/urls')).toBe(true);
		expect(isAtService(address, 'https://links.example.com/other')).toBe(true);
		for (const elsewhere of [
			'http://links.example.com/api',
			'https://links.example.com:8443/api',
			'https://links.example.com.evil.example/api',
			'https://links.example.com@evil.example/api',
			'//evil.example/api',
			'https://',
		]) {
			expect(isAtService(address, elsewhere)).toBe(false);
		}
	});
});
