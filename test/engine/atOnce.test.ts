/** Executions of Create or Update that run at the same time make each link once, in whatever order their requests come. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { isFailed } from '../failed';
import { SEED } from '../seed';
import { choice } from '../model/choice';
import { DIALECTS, type Behavior, type Fault } from '../sandbox';
import { actions, CONTINUE, openAccount } from './account';

const account = openAccount();

const POST = { method: 'POST', path: '^/api/url/add' };

/** Some rows have an alias, some none; each long URL is that of one link. */
const sheet = fc
	.uniqueArray(fc.nat(29), { minLength: 1, maxLength: 14 })
	.map((places) =>
		places.map((at) => ({ url: `https://example.com/${at}`, ...(at % 3 === 0 ? { alias: `alias-${at}` } : {}) })),
	);

const delays = fc.record({ ms: fc.nat(4), jitterMs: fc.nat(30), first: fc.nat(40), second: fc.nat(40) });

/** A creation that is refused, or whose answer is lost. */
const mishap = fc.constantFrom<Array<Fault | undefined>>(
	undefined,
	undefined,
	{ kind: 'errorEnvelope', match: POST, message: 'Not today', after: 2, times: 1 },
	{ kind: 'dropAfter', match: POST, after: 1, times: 2 },
);

/** In what services differ where a link that another execution has made is looked at. */
const deviations = fc
	.tuple(
		choice('createReply', 'full', 'full', 'shorturl', 'bare'),
		choice('shortLinksElsewhere', false, true),
		choice('moreFields', false, true),
		choice('recordsAs', 'array', 'object'),
		choice('orders', 'both', 'none'),
		choice('pageCap', 10, 100),
	)
	.map((some): Partial<Behavior> => Object.assign({ knownLongUrl: 'new' }, ...some) as Partial<Behavior>);

test.each(DIALECTS)('in the dialect of the %s', async (dialect) => {
	await fc.assert(
		fc.asyncProperty(
			sheet,
			sheet,
			fc.boolean(),
			delays,
			mishap,
			deviations,
			async (one, other, isSame, { first, second, ...latency }, fault, drawn) => {
				await account.has(dialect, { others: 5, deviations: drawn });
				await account.sandbox.setFaults([{ kind: 'latency', ...latency }, ...(fault === undefined ? [] : [fault])]);
				const sheets = [one, isSame ? one : other, one];
				const works = await Promise.all(
					sheets.map(async (rows, at) => {
						await new Promise((resolve) => setTimeout(resolve, [0, first, second][at]));
						return await account.upsert(rows, {}, CONTINUE);
					}),
				);
				await account.sandbox.clearFaults();
				const made = (await account.sandbox.links()).filter(({ longurl }) => /example\.com\/\d+$/.test(longurl));
				const items = works.flatMap((work) => work.items.map(({ json }) => json));
				const failed = items.filter((json) => isFailed(json));
				// Of two executions that ask for one alias, the service refuses one; and it may confirm nothing.
				const isUnsure = ({ error }: IDataObject) => /may have been created anyway/.test(String(error));
				const refused = failed.filter((json) => json.alias === undefined && !isUnsure(json));
				if (drawn.createReply !== 'bare' && fault === undefined) expect(failed.filter(isUnsure)).toEqual([]);
				expect(refused.length).toBeLessThanOrEqual(fault?.kind === 'errorEnvelope' ? 1 : 0);
				// What one row could not make, others may have made.
				const urls = made.map(({ longurl }) => longurl);
				const wanted = new Set(sheets.flat().map(({ url }) => url));
				expect([...wanted].filter((url) => !urls.includes(url) && failed.every((item) => item.url !== url))).toEqual(
					[],
				);
				expect(urls).toHaveLength(new Set(urls).size);
				// Where answers are lost or say nothing, nobody can tell whose creation it was.
				const created = items.filter(({ action }) => action === 'created');
				const isTold = fault?.kind !== 'dropAfter' && drawn.createReply !== 'bare';
				if (isTold) expect(created).toHaveLength(made.length);
				for (const { shorturl, error } of items) {
					if (error === undefined) expect(made.map((link) => link.shorturl)).toContain(shorturl);
				}
			},
		),
		{ numRuns: Number(process.env.LINKS_RUNS ?? 25), seed: SEED },
	);
});

describe('twenty rows without an alias, in two executions at the same time', () => {
	const rows = Array.from({ length: 20 }, (_, at) => ({ url: `https://example.com/${at}` }));

	/** What both say of their rows, and how often the service was asked to make a link, and for anything else. */
	async function both(faults: Fault[]) {
		await account.has('field', { others: 30, deviations: { knownLongUrl: 'new' } });
		await account.sandbox.setFaults(faults);
		const works = await Promise.all([0, 1].map(async () => await account.upsert(rows, {}, CONTINUE)));
		const requests = await account.sandbox.requests();
		const creations = requests.filter(({ method }) => method === 'POST').length;
		return { said: works.flatMap((work) => actions(work)), creations, others: requests.length - creations };
	}

	test('that are refused cost each of them a request a row, and one for the list', async () => {
		const { said, creations, others } = await both([{ kind: 'errorEnvelope', match: POST, message: 'Not today' }]);
		for (const one of said) expect(one).toContain('The service says "Not today"');
		expect([creations, others]).toEqual([40, 2]);
	});

	test('whose creation nobody can confirm are made once, and both say that they may have been', async () => {
		const { said, creations } = await both([
			{ kind: 'dropAfter', match: POST },
			{ kind: 'errorEnvelope', message: 'Not now', match: { method: 'GET' }, after: 2 },
		]);
		for (const one of said) expect(one).toContain('may have been created anyway');
		expect(creations).toBe(20);
	});
});
