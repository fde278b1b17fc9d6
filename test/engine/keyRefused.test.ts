/** A key that is refused: no row after that asks once more. */
import { isFailed } from '../failed';
import { DIALECTS } from '../sandbox';
import { CONTINUE, openAccount, upsertOf } from './account';
import { by } from './host';

const account = openAccount();

const rows = Array.from({ length: 28 }, (_, at) => ({ url: `https://example.com/${at}`, id: String(at + 1) }));

const create = { resource: 'link', operation: 'create', url: '={{ $json.url }}' };
const get = { resource: 'link', operation: 'get', linkId: by('id', '={{ $json.id }}') };
const totals = { ...get, options: { details: 'totals' } };
const remove = { resource: 'link', operation: 'delete', linkId: by('id', '={{ $json.id }}') };

describe.each(DIALECTS)('in the dialect of the %s', (dialect) => {
	test.each([
		['Create', create],
		['Get', get],
		['Get totals', totals],
		['Delete', remove],
		['Create or Update', upsertOf()],
	])('%s: one request, and each row says so', async (_what, parameters) => {
		await account.has(dialect, {});
		await account.sandbox.configure({ apiKeys: ['another-key'] });
		const { items } = await account.work(parameters, rows, 'at once', CONTINUE);
		expect(items.map(({ json }) => json.error)).toEqual(rows.map(() => expect.stringMatching(/API Key/) as unknown));
		expect((await account.sandbox.requests()).length).toBe(1);
	});

	test.each([
		['Create', create],
		['Get', get],
		['Delete', remove],
	])('%s: a key without the right asks once', async (_what, parameters) => {
		await account.has(dialect, { deviations: { rights: 'qrCode' } });
		const { items } = await account.work(parameters, rows, 'at once', CONTINUE);
		expect(items.map(({ json }) => json.error)).toEqual(
			rows.map(() => expect.stringMatching(/do not have access/) as unknown),
		);
		expect((await account.sandbox.requests()).length).toBe(1);
	});

	test('a key that is refused in the middle of a run', async () => {
		await account.has(dialect, {});
		await account.sandbox.setFaults([
			{ kind: 'errorEnvelope', status: 401, message: 'The API key has expired.', after: 3 },
			{ kind: 'latency', ms: 20 },
		]);
		const many = Array.from({ length: 200 }, (_, at) => ({ url: `https://example.com/${at}` }));
		const { items } = await account.work(create, many, 'at once', CONTINUE);
		expect(items.filter(({ json }) => !isFailed(json))).toHaveLength(3);
		// Those that were under way are all that has asked.
		expect((await account.sandbox.requests()).length).toBeLessThanOrEqual(3 + 50);
	});
});
