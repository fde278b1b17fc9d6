/** How long it takes to check what people and services send: not long for any text. */
import { createContext, runInContext } from 'vm';

import { email, newAlias, phone, webUrl } from '../../nodes/LinkManagement/fields/addresses';
import { expiry } from '../../nodes/LinkManagement/fields/dates';
import { flag, id, listOf, oneOf, text } from '../../nodes/LinkManagement/fields/parsers';
import { hexColor, rgbColor } from '../../nodes/LinkManagement/fields/colors';
import { serviceAddress } from '../../nodes/LinkManagement/service/baseUrl';
import { readAnswer } from '../../nodes/LinkManagement/service/answer/answer';
import { errorOf, messageOfError } from '../../nodes/LinkManagement/service/answer/errors';
import type { Failure } from '../../nodes/LinkManagement/service/answer/failures';
import { serviceKey } from '../../nodes/LinkManagement/service/connection';
import { redactionOf } from '../../nodes/LinkManagement/service/redact';
import { readRateHeaders } from '../../nodes/LinkManagement/rateLimit/headers';
import { ValueError } from '../../nodes/LinkManagement/service/answer/errors';

const source = { label: 'Value', timezone: 'Europe/Berlin' };

const PARTS = [' ', '1', 'a', '/', '.', '#', '-', ',', '\t', '\n', '1,', '../', '%2e', 'é', '\ud83d'];

/** Text of 100,000 characters on which an expression that backtracks would take minutes. */
const LONG = [...PARTS, 'rgb(', '2031-01-01T', 'https://'].flatMap((part) => {
	const text = part.repeat(100_000 / part.length);
	return [text, `${text}!`, `!${text}`, `https://${text}`, `#${text}`, `rgb(${text}`, `2031-01-01 ${text}`];
});

const addresses = { email, newAlias, phone, webUrl };
const choice = oneOf([{ name: 'A', value: 'a' }]);
const single = { text, id, flag, ...addresses, hexColor, rgbColor, idList: listOf(id), expiry, choice };

/** Does something with each text, and fails where that takes minutes: jest's own limit ends nothing that never waits. */
function forEachText(check: (long: string) => void): void {
	const context = createContext({ check: () => LONG.forEach(check) });
	runInContext('check()', context, { timeout: 120_000 });
}

test.each(Object.entries(single))('%s is quick for any text', (_name, parser) => {
	forEachText((long) => {
		try {
			parser(long, source);
		} catch (error) {
			expect(error).toBeInstanceOf(ValueError);
			expect((error as Error).message.length).toBeLessThan(400);
		}
	});
});

test('the base URL, the key, answers and headers are read quickly for any text', () => {
	forEachText((long) => {
		for (const take of [serviceAddress, serviceKey]) {
			try {
				take(long);
			} catch (error) {
				expect((error as Error).message.length).toBeLessThan(400);
			}
		}
		const asked = { method: 'GET', path: '/api/urls' };
		expect(readAnswer({ statusCode: 200, headers: {}, body: long }, asked).kind).toBe('unreadable');
		const answer = { statusCode: 400, headers: { location: long }, body: { error: 1, message: long } };
		const redact = redactionOf('a-key-of-some-length');
		const failure = readAnswer(answer, asked) as Failure;
		const address = 'https://service.example';
		const error = errorOf({ ...asked, failure, statusCode: 400, address, isKnown: true }, redact);
		expect(messageOfError(error).length).toBeLessThanOrEqual(530);
		const ofLimit = { 'x-ratelimit-reset': long, 'x-ratelimit-remaining': long, 'retry-after': long, date: long };
		readRateHeaders({ headers: ofLimit }, 0);
	});
});

test('addresses with umlauts are addresses, however often they are checked', () => {
	for (let times = 0; times < 50_000; times++) {
		if (webUrl('https://münchen.example/ä', source) !== 'https://münchen.example/ä') throw new Error('changed');
	}
	expect(serviceAddress('https://münchen.example/')).toBe('https://xn--mnchen-3ya.example');
});
