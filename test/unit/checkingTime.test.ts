/** How long it takes to check what people and services send: not long for any text. */
import { createContext, runInContext } from 'vm';

import * as rules from '../../nodes/LinkManagement/fields/rules';
import { serviceAddress } from '../../nodes/LinkManagement/api/baseUrl';
import { read } from '../../nodes/LinkManagement/api/answer';
import { errorOf, type Failure } from '../../nodes/LinkManagement/api/answerError';
import { serviceKey } from '../../nodes/LinkManagement/api/connection';
import { redactionOf } from '../../nodes/LinkManagement/api/redact';
import { readRateHeaders } from '../../nodes/LinkManagement/rateLimit/headers';
import { ValueError, type Rule } from '../../nodes/LinkManagement/run/request';

const source = { label: 'Value', timezone: 'Europe/Berlin' };

/** Text of 100,000 characters on which an expression that backtracks would take minutes. */
const LONG = [
	' ',
	'1',
	'a',
	'/',
	'.',
	'#',
	'-',
	',',
	'\t',
	'\n',
	'rgb(',
	'1,',
	'2031-01-01T',
	'https://',
	'../',
	'%2e',
	'é',
	'\ud83d',
]
	.flatMap((part) => {
		const text = part.repeat(100_000 / part.length);
		return [text, `${text}!`, `!${text}`, `https://${text}`, `#${text}`, `rgb(${text}`, `2031-01-01 ${text}`];
	})
	.map((text): [string, string] => [`${text.slice(0, 12)}…${text.slice(-2)}`, text]);

const single: Array<[string, Rule]> = [
	['text', rules.text],
	['id', rules.id],
	['flag', rules.flag],
	['webUrl', rules.webUrl],
	['oneOf', rules.oneOf('a', 'b')],
	['hexColor', rules.hexColor],
	['rgbColor', rules.rgbColor],
	['idList', rules.idList],
	['dateTime', rules.dateTime],
	['json', rules.json],
];

/** Does something with each text, and fails where that takes minutes: jest's own limit ends nothing that never waits. */
function forEachText(check: (text: string) => void): void {
	const context = createContext({ check: () => LONG.forEach(([, text]) => check(text)) });
	runInContext('check()', context, { timeout: 20_000 });
}

test.each(single)('%s is quick for any text', (_name, rule) => {
	forEachText((text) => {
		try {
			rule(text, source);
		} catch (error) {
			expect(error).toBeInstanceOf(ValueError);
			expect((error as Error).message.length).toBeLessThan(400);
		}
	});
});

test('the base URL, the key, answers and headers are read quickly for any text', () => {
	forEachText((text) => {
		for (const read of [serviceAddress, serviceKey]) {
			try {
				read(text);
			} catch (error) {
				expect((error as Error).message.length).toBeLessThan(400);
			}
		}
		const asked = { method: 'GET', path: '/api/urls' };
		expect(read({ statusCode: 200, headers: {}, body: text }, asked).is).toBe('unreadable');
		const body = { error: 1, message: text };
		const failure = read({ statusCode: 400, headers: { location: text }, body }, asked) as Failure;
		const error = errorOf(failure, {
			...asked,
			redact: redactionOf(['a-key-of-some-length']),
			statusCode: 400,
			isKnown: true,
		});
		expect(error.message.length).toBeLessThanOrEqual(500);
		readRateHeaders({ 'x-ratelimit-reset': text, 'x-ratelimit-remaining': text, 'retry-after': text, date: text }, 0);
	});
});

test('addresses with umlauts are addresses, however often they are checked', () => {
	for (let times = 0; times < 50_000; times++) {
		if (rules.webUrl('https://münchen.example/ä', source) !== 'https://münchen.example/ä') throw new Error('changed');
	}
	expect(serviceAddress('https://münchen.example/')).toBe('https://xn--mnchen-3ya.example');
});
