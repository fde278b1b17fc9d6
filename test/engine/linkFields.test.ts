/** Every field of the table of link fields: sent, shown, compared, kept by an update of another field, and cleared. */
import type { IDataObject } from 'n8n-workflow';

import { fieldNamed, LINK_FIELD_NAMES, type LinkFieldName } from '../../nodes/LinkManagement/links/linkFields';
import type { LinkWithAddress } from '../sandbox';
import { actions, openAccount, upsertOf } from './account';

const account = openAccount();

const GO = 'https://go.example.com';
const PAGE = 'https://example.com/page';

/** A value as a column holds it or Additional Fields do, what the link has then, and what it has once it is cleared. */
interface Sample {
	entered: unknown;
	has: unknown;
	blank?: unknown;
}

const targetsOf = (part: string, name: string) => ({ values: [{ [part]: name, link: '={{ $json.target }}' }] });

/** One for each row of the table: the compiler says which is missing. */
const SAMPLES: Record<LinkFieldName, Sample> = {
	url: { entered: `${PAGE}?a=1`, has: `${PAGE}?a=1` },
	custom: { entered: 'spring', has: 'spring' },
	domain: { entered: 'go.example.com', has: GO },
	metatitle: { entered: 'Spring & more', has: 'Spring & more' },
	description: { entered: 'A note', has: 'A note', blank: '' },
	campaign: { entered: 'Spring', has: 3 },
	channel: { entered: 'News', has: 9 },
	expiry: { entered: '2035-05-06 07:08:09', has: '2035-05-06 07:08:09', blank: null },
	metadescription: { entered: 'What it is about', has: 'What it is about', blank: '' },
	metaimage: { entered: 'https://example.com/a.png', has: 'https://example.com/a.png', blank: '' },
	password: { entered: 'hush', has: 'hush', blank: '' },
	pixels: { entered: 'Facebook', has: [7], blank: [] },
	status: { entered: 'public', has: 'public' },
	type: { entered: 'frame', has: 'frame' },
	deeplink: { entered: { value: { auto: '={{ $json.deep }}' } }, has: { auto: true }, blank: '' },
	devicetarget: { entered: targetsOf('device', 'iPhone'), has: { iphone: PAGE }, blank: {} },
	geotarget: { entered: targetsOf('location', 'Germany'), has: { germany: PAGE }, blank: {} },
	languagetarget: { entered: targetsOf('language', 'fr'), has: [{ language: 'fr', link: PAGE }], blank: [] },
	parameters: {
		entered: { values: [{ name: 'ref', value: '={{ $json.target }}' }] },
		has: [{ name: 'ref', value: PAGE }],
		blank: [],
	},
};

/** What the service holds of a field. */
async function held(name: LinkFieldName): Promise<unknown> {
	const [{ unseen, ...link }] = await account.sandbox.links();
	const [{ items }] = await account.sandbox.records('channels');
	const names: Partial<Record<LinkFieldName, keyof LinkWithAddress>> = {
		url: 'longurl',
		custom: 'alias',
		metatitle: 'title',
		geotarget: 'location',
		devicetarget: 'device',
	};
	if (name === 'channel') return items.some(({ id }) => id === link.id) ? 9 : null;
	return ({ ...link, ...unseen } as Record<string, unknown>)[names[name] ?? name];
}

describe.each(LINK_FIELD_NAMES)('%s', (name) => {
	const { isColumn = false, isClearable = false, shownIn } = fieldNamed(name);
	const isShown = shownIn !== undefined;
	const { entered, has, blank } = SAMPLES[name];
	const isOther = name === 'description' ? 'title' : 'description';
	const needed = name === 'deeplink' ? { devicetarget: SAMPLES.devicetarget.entered } : {};
	const linkFields = (isColumn ? {} : { [name]: entered, ...needed }) as IDataObject;
	const titles: Partial<Record<LinkFieldName, string>> = {
		url: 'long_url',
		status: 'Link Visibility',
		type: 'Redirection Type',
	};
	const title = titles[name] ?? name;
	const item = { long_url: PAGE, target: PAGE, deep: true, ...(isColumn ? { [title]: entered } : {}) };
	const cleared = isColumn ? { ...item, [title]: '' } : { ...item, target: '', deep: '' };
	const run = async (row: IDataObject, options: IDataObject = {}) =>
		actions(await account.work(upsertOf(options, linkFields), [row]));

	test('is sent, and compared and kept if it is shown, and cleared', async () => {
		await account.has('document', {
			campaigns: [{ id: 3, name: 'Spring' }],
			channels: [{ id: 9, name: 'News' }],
			domains: [GO],
			deviations: { moreFields: true, linkUpdate: 'resets' },
		});
		await account.sandbox.createRecords({ pixels: [{ id: 7, name: 'Facebook' }] });
		expect(await run(item)).toEqual(['created']);
		expect(await held(name)).toEqual(has);
		expect(await run(item)).toEqual([isShown ? 'unchanged' : 'updated']);
		const { alias } = (await account.links())[name === 'domain' ? `${GO}/${await aliasOfOnly()}` : await aliasOfOnly()];
		const other = { alias, ...(name === 'domain' ? { domain: GO } : {}), [isOther]: 'Changed' };
		expect(actions(await account.upsert([other]))).toEqual(['updated']);
		if (isShown) expect(await held(name)).toEqual(has);
		if (!isClearable || blank === undefined) return;
		// What lists don't show is cleared in an update that is sent anyway.
		expect(await run({ ...cleared, [isOther]: 'Again' }, { emptyCells: 'clear' })).toEqual(['updated']);
		expect(await held(name)).toEqual(blank);
	});
});

async function aliasOfOnly(): Promise<string> {
	return (await account.sandbox.links())[0].alias;
}
