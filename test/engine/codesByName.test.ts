/** QR codes that are made once for each name, whatever names a sheet and the account have. */
import * as fc from 'fast-check';

import { DIALECTS } from '../sandbox';
import { CONTINUE } from './account';
import { begin, itemsOf, openService, sandbox } from './service';

openService();

const NO_LIMIT = { records: { qrs: 0 }, limit: { requests: null } };
const NAMES = ['Table 1', 'Table 2', 'table 1', 'Ünder 3', ''];

const create = {
	resource: 'qrCode',
	operation: 'create',
	type: 'link',
	data: '=https://example.com/{{ encodeURIComponent($json.name.trim()) }}',
	qrCodeFields: { name: '={{ $json.name }}' },
	options: { ifNameExists: 'returnExisting' },
};

const sheets = fc.record({
	before: fc.array(fc.constantFrom(...NAMES), { maxLength: 6 }),
	rows: fc.array(fc.record({ name: fc.constantFrom(...NAMES), space: fc.constantFrom('', ' ', '\t') }), {
		minLength: 1,
		maxLength: 12,
	}),
});

const madeSoFar = async () => (await sandbox.stats()).created.qrs ?? 0;

test.each(DIALECTS)('a sheet of names makes each code once, in the dialect of the %s', async (dialect) => {
	await fc.assert(
		fc.asyncProperty(sheets, async ({ before, rows }) => {
			await begin({ dialect, ...NO_LIMIT });
			await sandbox.createRecords({
				qrs: before.map((name, at) => ({ id: 900 + at, code: `c${at}`, name, type: 'text', data: 'x' })),
			});
			const setting = { rows: rows.map(({ name, space }, table) => ({ name: space + name, table })), node: CONTINUE };
			const named = rows.filter(({ name }) => name !== '').length;
			const madeBefore = await madeSoFar();

			const items = await itemsOf(create, setting);
			const made = new Map<string, number>();
			for (const [at, { name }] of rows.entries()) {
				const there = before.flatMap((one, index) => (one === name ? [900 + index] : []));
				const { id, existing, error } = items[at];
				if (name === '') expect(error).toMatch(/^Name is empty/);
				else if (there.length > 1) {
					for (const one of there) expect(error).toContain(String(one));
				} else if (there.length === 1) expect([id, existing]).toEqual([there[0], true]);
				else if (made.has(name)) expect([id, existing]).toEqual([made.get(name), true]);
				else {
					expect([typeof id, existing]).toEqual(['number', undefined]);
					made.set(name, Number(id));
				}
			}
			expect((await madeSoFar()) - madeBefore).toBe(made.size);
			const asked = (await sandbox.requests()).filter(({ method }) => method === 'GET');
			// An empty list is believed when it comes twice.
			expect(asked).toHaveLength(named === 0 ? 0 : before.length === 0 ? 2 : 1);

			await itemsOf(create, setting);
			expect((await madeSoFar()) - madeBefore).toBe(made.size);
		}),
		{ numRuns: 15 },
	);
});

test('a code whose creation lost its answer is found by its name', async () => {
	await begin(NO_LIMIT);
	await sandbox.setFaults([{ kind: 'dropAfter', match: { method: 'POST' }, times: 1 }]);
	const [item] = await itemsOf(create, { rows: [{ name: 'Table 1', table: 1 }] });
	expect(item).toMatchObject({ id: expect.any(Number) as number, name: 'Table 1' });
	expect(await madeSoFar()).toBe(1);
});

test('rows of one name with different contents make no code, and each names the others', async () => {
	await begin(NO_LIMIT);
	const rows = [1, 2, 3].map((table) => ({ name: table === 3 ? 'Other' : 'Table', table }));
	const parameters = { ...create, data: '=https://example.com/{{ $json.table }}' };
	const items = await itemsOf(parameters, { rows, node: CONTINUE });
	for (const { error } of items.slice(0, 2))
		expect(error).toContain('The name "Table" stands for different contents in row 1 of 3, row 2 of 3');
	expect(items[2]).toMatchObject({ name: 'Other', id: expect.any(Number) as number });
	expect(await madeSoFar()).toBe(1);
});
