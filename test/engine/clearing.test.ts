/**
 * Empty fields of an update that clear what their link has, at services that take an empty value and at those that ignore it. Of a
 * sheet's empty cells, test/model draws the same.
 */
import type { IDataObject } from 'n8n-workflow';

import { DIALECTS, type Behavior } from '../sandbox';
import { actions, CONTINUE, openAccount } from './account';
import { by } from './host';

const account = openAccount();

const DE = 'https://example.com/de';

/** What a link has, and the blank of each. */
const FULL = {
	description: 'A note',
	expiry: '2035-05-21 00:00:00',
	location: { germany: DE },
	device: { iphone: 'https://example.com/ios' },
};
const BLANK = { description: '', expiry: null, location: {}, device: {} };

type Name = keyof typeof FULL;

const NAMES = Object.keys(FULL) as Name[];

/** A row whose columns hold what its link has, but for those that are to be cleared. */
const rowOf = (alias: string, cleared: Name[]): IDataObject => {
	const says = { description: FULL.description, expiry: FULL.expiry, location: DE, device: FULL.device.iphone };
	return { alias, ...says, ...Object.fromEntries(cleared.map((name) => [name, ''])) };
};

const targets = {
	geotarget: { values: [{ location: 'Germany', link: '={{ $json.location }}' }] },
	devicetarget: { values: [{ device: 'iPhone', link: '={{ $json.device }}' }] },
};

const SERVICES: Array<[string, Partial<Behavior>, boolean]> = [
	['keeps what an update leaves out', { linkUpdate: 'keeps' }, true],
	['resets what an update leaves out', { linkUpdate: 'resets' }, true],
	['resets it, and ignores empty values', { linkUpdate: 'resets', emptyValue: 'ignored' }, false],
	['keeps it, and ignores empty values', { linkUpdate: 'keeps', emptyValue: 'ignored' }, false],
];

/** One link for each field that is cleared, one for all of them, one for none. */
const cleared = new Map<string, Name[]>([
	...NAMES.map((name): [string, Name[]] => [name, [name]]),
	['all', NAMES],
	['nothing', []],
]);
const rows = [...cleared].map(([alias, names]) => rowOf(alias, names));

const updateOf = (emptyFields: 'keep' | 'clear') => ({
	resource: 'link',
	operation: 'update',
	linkId: by('alias', '={{ $json.alias }}'),
	linkFields: { description: '={{ $json.description }}', expiry: '={{ $json.expiry }}', ...targets },
	options: { emptyFields },
});

async function expectLinks(isCleared: boolean): Promise<void> {
	const links = await account.links();
	for (const [alias, names] of cleared) {
		const blank = isCleared ? Object.fromEntries(names.map((name) => [name, BLANK[name]])) : {};
		expect(links[alias].longurl).toBe(`https://example.com/${alias}`);
		expect(links[alias]).toEqual({ ...links[alias], ...FULL, ...blank });
	}
}

test.each(SERVICES)(
	'Update at a service that %s: cleared, or an error that says so',
	async (_what, deviations, clears) => {
		const links = [...cleared.keys()].map((alias) => ({ alias, longurl: `https://example.com/${alias}`, ...FULL }));
		await account.has('field', { links, deviations: { statesInLocation: false, ...deviations } });
		await account.work(updateOf('keep'), rows, 'at once', CONTINUE);
		await expectLinks(false);
		const { items } = await account.work(updateOf('clear'), rows, 'at once', CONTINUE);
		items.forEach(({ json }, at) => {
			const [, names] = [...cleared][at];
			if (!clears && names.length > 0) expect(String(json.error)).toMatch(/does not clear/);
			else expect(json).toMatchObject({ success: true });
		});
		await expectLinks(clears);
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
		const empty = { campaign: '', channel: '', title: '', status: '', type: '', domain: '' };
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
