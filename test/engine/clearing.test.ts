/** Empty cells that clear what their link has, where the option says so. test/model draws more of them. */
import type { IDataObject } from 'n8n-workflow';

import { DIALECTS, type Behavior } from '../sandbox';
import { actions, openAccount } from './account';

const account = openAccount();

const DE = 'https://example.com/de';

/** What a link has; the blank of what a cell can clear. */
const FULL = {
	description: 'A note',
	expiry: '2035-05-21 00:00:00',
	location: { germany: DE },
	device: { iphone: 'https://example.com/ios' },
};
const BLANK = { description: '', expiry: null };

type Name = keyof typeof BLANK;

const NAMES = Object.keys(BLANK) as Name[];

/** A row whose columns hold what its link has, but for those that are to be cleared. */
const rowOf = (alias: string, cleared: Name[]): IDataObject => {
	const { description, expiry } = FULL;
	return { alias, description, expiry, ...Object.fromEntries(cleared.map((name) => [name, ''])) };
};

const SERVICES: Array<[string, Partial<Behavior>]> = [
	['keeps what an update leaves out', { linkUpdate: 'keeps' }],
	['resets what an update leaves out', { linkUpdate: 'resets' }],
];

/** One link for each field that is cleared, one for all of them, one for none. */
const cleared = new Map<string, Name[]>([
	...NAMES.map((name): [string, Name[]] => [name, [name]]),
	['all', NAMES],
	['nothing', []],
]);
const rows = [...cleared].map(([alias, names]) => rowOf(alias, names));

async function expectLinks(isCleared: boolean): Promise<void> {
	const links = await account.links();
	for (const [alias, names] of cleared) {
		const blank = isCleared ? Object.fromEntries(names.map((name) => [name, BLANK[name]])) : {};
		expect(links[alias].longurl).toBe(`https://example.com/${alias}`);
		expect(links[alias]).toEqual({ ...links[alias], ...FULL, ...blank });
	}
}

test.each(SERVICES)(
	'at a service that %s, an empty cell clears its field, and nothing else',
	async (_what, deviations) => {
		const links = [...cleared.keys()].map((alias) => ({ alias, longurl: `https://example.com/${alias}`, ...FULL }));
		await account.has('field', { links, deviations: { statesInLocation: false, ...deviations } });
		expect(actions(await account.upsert(rows))).toEqual(rows.map(() => 'unchanged'));
		await expectLinks(false);
		const isChanged = [...cleared.values()].map((names) => (names.length > 0 ? 'updated' : 'unchanged'));
		expect(actions(await account.upsert(rows, { emptyCells: 'clear' }))).toEqual(isChanged);
		await expectLinks(true);
	},
);

describe.each(DIALECTS)('in the dialect of the %s', (dialect) => {
	test('what is never cleared stays, and what no service shows is cleared in an update that is sent anyway', async () => {
		const hidden = {
			unseen: { password: 'secret', metaimage: 'https://example.com/a.png', pixels: [1] },
			status: 'public',
		};
		const links = ['one', 'two'].map((alias) => ({
			alias,
			longurl: `https://example.com/${alias}`,
			title: 'Title',
			...hidden,
		}));
		await account.has(dialect, { links, campaigns: [{ id: 3, name: 'Spring' }] });
		const empty = { campaign: '', channel: '', title: '', 'Link Visibility': '', 'Redirection Type': '', domain: '' };
		const blank = { password: '', metaimage: '', pixels: '' };
		const rows = links.map(({ alias, longurl }) => ({ alias, longurl, ...empty, ...blank }));
		const options = { emptyCells: 'clear' };
		expect(actions(await account.upsert(rows, options))).toEqual(['unchanged', 'unchanged']);
		const changed = [{ ...rows[0], description: 'New' }, rows[1]];
		expect(actions(await account.upsert(changed, options))).toEqual(['updated', 'unchanged']);
		const after = await account.links();
		expect(after.one).toMatchObject({ title: 'Title', description: 'New' });
		expect(after.one.unseen).toMatchObject({ password: '', metaimage: '', pixels: [] });
		expect(after.two.unseen).toEqual(hidden.unseen);
	});
});
