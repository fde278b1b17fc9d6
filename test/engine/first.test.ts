/** Rows go in, links are made, items come out: where to begin reading the tests. */
import { openAccount } from './account';

const account = openAccount();

const create = { resource: 'link', operation: 'create', url: '={{ $json.page }}', linkFields: { custom: 'one' } };

test('Create makes a link of a row, and its item has the short URL', async () => {
	await account.has('document');
	const { items, error } = await account.work(create, [{ page: 'https://example.com/1' }]);
	expect(error).toBeUndefined();
	expect(items[0].json).toMatchObject({ shorturl: account.short('one') });
	expect(await account.links()).toMatchObject({ one: { longurl: 'https://example.com/1' } });
});

test('Create refuses a row without a web address, and sends nothing', async () => {
	await account.has('field');
	const { error } = await account.work(create, [{ page: 'no address' }]);
	expect(error?.message).toBe('Long URL is not a web address: "no address"');
	expect(await account.changes()).toEqual([]);
});
