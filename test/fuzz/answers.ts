/** What a service may answer that does not keep its contract: by mistake, by a proxy in between, or by ill will. */
import fc from 'fast-check';

import { isFailed } from '../failed';
import { run, type Outcome } from '../engine/host';
import { serve } from '../engine/serve';
import type { Sandbox } from '../sandbox';
import type { Entered } from './parameters';

/** Requests that one run, poll or list may make at most: pages are read again where a list says that it changed. */
export const MOST_REQUESTS = 60;

/** Errors that come of code that was surprised, not of code that says what is wrong. */
const SURPRISED =
	/undefined|\[object Object\]|is not a function|is not iterable|Cannot (read|convert|set)|circular|Maximum call stack/;

/** An error that a user can work with. */
export function expectPlain({ name, message }: Error, names = /^Node(Api|Operation)Error$/): void {
	expect(name).toMatch(names);
	expect(message).not.toMatch(SURPRISED);
	expect(message.length).toBeLessThan(1000);
}

/** Whatever came of a run, a user can work with it. */
export function expectReadable({ items, error, saved }: Outcome, key: string): void {
	if (error !== undefined) expectPlain(error);
	for (const { json, pairedItem } of items) {
		expect(pairedItem).toBeDefined();
		// A dry run lists what would fail.
		if (json.dryRun === true && isFailed(json)) expectPlain({ name: 'Error', message: String(json.error) }, /Error/);
		else expect(isFailed(json)).toBe(false);
	}
	expect(saved).not.toContain(key);
	expect({}).not.toHaveProperty('polluted');
}

/** Inputs with which the node sends something, found by running it. */
export async function accepted(sandbox: Sandbox, entries: fc.Arbitrary<Entered>, count: number): Promise<Entered[]> {
	const credential = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
	const found: Entered[] = [];
	for (let seed = 1; found.length < count; seed++) {
		expect(seed).toBeLessThan(200);
		const [entered] = fc.sample(entries, { numRuns: 1, seed });
		await sandbox.clearRequests();
		await run(entered.parameters, { credential, rows: [entered.row] });
		if ((await sandbox.stats()).requests > 0) found.push(entered);
	}
	return found;
}

/** An answer of the service. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: string;
}

const figure = fc.oneof(
	fc.nat(5),
	fc.constantFrom('3', -1, 0.5, 1e21, null, 'x', '', [], {}, true),
	fc.constant(undefined),
);
const flag = fc.constantFrom(0, '0', 0, '0', false, undefined, 1, '1', true, 'no', null, [], {});
const text = fc.oneof(fc.constantFrom('Done.', '', null, undefined, 7, { a: 1 }, ['x']), fc.string({ unit: 'binary' }));
const scalar = fc.oneof(text, fc.nat(9), fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 2 }));

/** A record with fields of the contract, each of any type. */
const record = fc.record(
	{
		id: fc.oneof(fc.nat(5), scalar),
		type: scalar,
		name: scalar,
		domain: scalar,
		campaign: scalar,
		location: scalar,
		device: scalar,
		shorturl: scalar,
		clicks: scalar,
		date: scalar,
		topCountries: fc.oneof(fc.constantFrom(0, '0', [], {}), fc.dictionary(fc.string(), scalar, { maxKeys: 3 }), scalar),
		socialCount: scalar,
	},
	{ requiredKeys: [] },
);

const collections = ['campaigns', 'channels', 'items', 'qrs', 'domains', 'cta', 'overlay', 'splash', 'urls', 'pixels'];

const page = fc
	.record(
		{
			result: figure,
			perpage: figure,
			currentpage: figure,
			nextpage: figure,
			maxpage: figure,
			records: fc.oneof(fc.array(fc.oneof({ weight: 4, arbitrary: record }, scalar), { maxLength: 6 }), scalar),
		},
		{ requiredKeys: ['records'] },
	)
	.map(({ records, ...figures }) => ({
		...figures,
		...Object.fromEntries(collections.map((name) => [name, records])),
	}));

const envelope = fc
	.record(
		{ error: flag, message: text, id: scalar, data: fc.oneof(page, record, scalar), details: fc.oneof(record, scalar) },
		{ requiredKeys: [] },
	)
	.chain((body) => record.map((fields) => ({ ...fields, ...body })));

const body = fc.oneof(
	{ weight: 6, arbitrary: envelope.map((json) => JSON.stringify(json)) },
	{ weight: 1, arbitrary: fc.json() },
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			'',
			'<html><body>Bad gateway</body></html>',
			'{"error": 0',
			'null',
			'[]',
			'"text"',
			'{"error":0,"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
		),
	},
);

const headers = fc.record(
	{
		'content-type': fc.constantFrom(
			'application/json',
			'text/html',
			'application/json; charset=utf-7',
			'application/octet-stream',
		),
		'x-ratelimit-limit': fc.constantFrom('30', 'many', '-1', '1e9'),
		'x-ratelimit-remaining': fc.constantFrom('29', '5', 'x', '99999999999999999999', ''),
		'x-ratelimit-reset': fc.constantFrom(
			'0',
			'-5',
			'soon',
			'1e400',
			'Thu, 01 Jan 1970 00:00:00 GMT',
			'99999999999999999999',
		),
		date: fc.constantFrom('x', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT'),
	},
	{ requiredKeys: ['content-type'] },
);

/** Statuses at which nothing is tried again or waited for, that no run takes long. */
const status = fc.constantFrom(200, 200, 200, 200, 201, 204, 301, 302, 304, 400, 401, 403, 404, 422);

export const answer: fc.Arbitrary<Answer> = fc.record({ status, headers, body });

const ENOUGH: Answer = { status: 404, headers: {}, body: '{"error":1,"message":"That is enough."}' };

/** A service that gives each key the answer that was set for it, again and again, but not for ever. */
export class AnyService {
	url = '';

	/** How many requests came with each key. */
	readonly requests = new Map<string, number>();

	private readonly answers = new Map<string, Answer>();

	/** @param patience how many requests with one key are answered */
	constructor(private readonly patience: number) {}

	async start(): Promise<void> {
		this.url = await serve((request, response) => {
			request.resume();
			const key = (request.headers.authorization ?? '').replace(/^Bearer /, '');
			const count = (this.requests.get(key) ?? 0) + 1;
			this.requests.set(key, count);
			const given = count > this.patience ? undefined : this.answers.get(key);
			const { status: code, headers: sent, body: content } = given ?? ENOUGH;
			response.writeHead(code, sent).end(code === 204 || code === 304 ? undefined : content);
		});
	}

	/** Sets an answer; returns the key to ask for it with. */
	set(given: Answer): string {
		const key = `key-${this.answers.size + 1}-of-any-service`;
		this.answers.set(key, given);
		return key;
	}
}
