/** Sheets as people really bring them (test/brought/sheets.json): what is sent for each row, or what its error says. */
import type { IDataObject, IWorkflowSettings } from 'n8n-workflow';

import { isFailed } from '../failed';
import sheets from '../brought/sheets.json';
import { DIALECTS, type Dialect } from '../sandbox';
import { CONTINUE, openAccount, upsertOf } from './account';
import { run } from './host';

const account = openAccount();

const shop = (path: number | string) => `https://shop.example/${path}`;
const link = (path: number | string, more: IDataObject = {}): IDataObject => ({ url: shop(path), ...more });
const END = '2027-12-31 23:59:59';

const UNREAD = /^The input has no column that is read: .*Name the columns "Long URL"/;
const NOT_NAMED = /^Meta Title has|^Alias has|^Long URL has/;

/** What becomes of a row: the body that is sent, or what its error says. */
type Becomes = IDataObject | RegExp | undefined;

const ALL_READ: Record<string, Becomes[]> = {
	'notion-simplified': [link('spring', { custom: 'spring', campaign: 3, expiry: END })],
	'airtable-default-record': [link(1, { custom: 'one' })],
	'nocodb-v4-record': [link(1, { custom: 'one' })],
	'webhook-body': [link(1, { custom: 'one' })],
	'aggregate-list': [UNREAD],
	'spreadsheet-no-header': [UNREAD],
	'headings-in-second-row': [UNREAD, UNREAD],
	'baserow-link-row': [
		link(1, { custom: 'one', campaign: 4 }),
		/^Campaign takes one value, but has 2: "Spring", "Summer"/,
		// Two rows of one link: one creation.
		link(3, { custom: 'three', channel: 6 }),
		undefined,
	],
	'baserow-pixels': [link(1, { pixels: [8] })],
	'nocodb-link': [link(1, { campaign: 5 }), /^There is no campaign named "2"/],
	'airtable-lookup': [link(1, { custom: 'one', campaign: 3 })],
	'airtable-formula-error': [/^Long URL has "#ERROR!" instead of a value/, /^Long URL has "NaN" instead of a value/],
	'airtable-button': [link(1, { custom: 'one' })],
	'notion-date-object': [link(1)],
	'bitly-export-custom-link': [link(1, { metatitle: 'Spring' })],
	'bitly-csv-snake': [link(1, { metatitle: 'Spring' })],
	'bitly-api-link': [link(1, { metatitle: 'Spring' })],
	'rebrandly-csv': [
		/^Domain is not one of the account's: "https:\/\/go.acme.example". It has "https:\/\/link.example"/,
	],
	// Exports are renamed by the workflow that moves them in.
	'shortio-csv': [link(1, { metatitle: 'Spring' })],
	'dub-export': [link(1, { metatitle: 'Spring' })],
	'yourls-export': [link(1, { metatitle: 'Spring' })],
	'shlink-csv': [link(1, { custom: 'spring', metatitle: 'Spring' })],
	'tinycc-csv': [link('tech')],
	'redirect-type-301': [/^Redirect Type \(Redirection Type\) is an HTTP status: "301"/, /is an HTTP status: "302"/],
	'export-expires-never': [link(1), link(2, { expiry: END })],
	'this-family-portuguese': [
		{
			url: 'https://loja.example/1',
			custom: 'promo',
			domain: 'https://link.example',
			metatitle: 'Promo',
			expiry: '2027-12-31 23:59:00',
		},
	],
	'german-sheet': [
		link(1, {
			custom: 'eins',
			metatitle: 'Eins',
			description: 'Notiz',
			campaign: 9,
			expiry: '2027-12-31 23:59:59',
			password: 'geheim',
		}),
	],
	'spanish-sheet': [link(1, { custom: 'uno', metatitle: 'Uno', campaign: 7, expiry: END, password: 'x' })],
	'french-sheet': [link(1, { custom: 'un', metatitle: 'Un', expiry: END, password: 'x' })],
	'turkish-capitals': [link(1, { custom: 'bir', metatitle: 'Bir', description: 'x' })],
	// A bracket makes another title.
	'heading-required-star': [link(1)],
	'heading-line-break-note': [/^Long URL is empty, and there is no link with the alias "one"/],
	'heading-zero-width': [link(1), link(2)],
	'date-utc-midnight-new-york': [link(1, { expiry: END })],
	'password-yes-no': [link(1, { custom: 'one' }), link(2, { custom: 'two' })],
	'null-texts': [1, 2, 3, 4, 5].map((at) => link(at)),
	'null-dates': [1, 2, 3].map((at) => link(at)),
	// Such a sheet is saved with its cells as text; an alias with these signs is nobody's.
	'excel-proofed-text': [
		/^A new alias has .* and no = or quote before it: "="00123""/,
		/^A new alias has .* and no = or quote before it: "'00124"/,
		/^Long URL is not a web address: "'https/,
	],
	'mojibake-url': [/^Long URL has the sign \ufffd instead of a letter: the file was read in the wrong encoding/],
	'sheet-errors-other-languages': Array<RegExp>(10).fill(NOT_NAMED),
	'utm-columns-with-long-url': [link('1?utm_source=newsletter&utm_medium=email&utm_campaign=spring', { custom: 'n1' })],
	'alias-long-number': [/^Alias is a number that is too long to be exact/],
	'numeric-foreign-id': [link(1, { metatitle: 'Shirt' })],
};

async function prepare(dialect: Dialect = 'field'): Promise<void> {
	await account.has(dialect, {
		campaigns: [
			{ id: 3, name: 'Launch' },
			{ id: 4, name: 'Spring 2027' },
			{ id: 5, name: 'Spring' },
			{ id: 7, name: 'Lanzamiento' },
			{ id: 9, name: 'Start' },
		],
		channels: [{ id: 6, name: 'Press' }],
		domains: ['https://link.example'],
		deviations: { knownLongUrl: 'new' },
	});
	await account.sandbox.createRecords({ pixels: [{ id: 8, name: 'Shop' }] });
}

/** What is sent for a row, or the error that it comes out with. */
async function becomes(
	rows: IDataObject[],
	workflow: IWorkflowSettings = {},
	dialect?: Dialect,
): Promise<Array<IDataObject | string>> {
	await prepare(dialect);
	const { items } = await run(upsertOf(), { credential: account.credential, rows, node: CONTINUE, workflow });
	const sent = (await account.sandbox.requests()).filter(({ method }) => method !== 'GET');
	return items.map(({ json }) => (!isFailed(json) ? (sent.shift()?.body as IDataObject) : String(json.error)));
}

test('each sheet that was brought has what is to become of it', () => {
	expect(Object.keys(ALL_READ).sort()).toEqual(sheets.map(({ id }) => id).sort());
});

describe.each(DIALECTS)('in the dialect of the %s', (dialect) => {
	test.each(sheets.map(({ id, source, input }) => [id, source, input as unknown as IDataObject[]] as const))(
		'%s (%s)',
		async (id, _source, input) => {
			const wanted = ALL_READ[id].map((one) => (one instanceof RegExp ? expect.stringMatching(one) : one));
			expect(await becomes(input, {}, dialect)).toEqual(wanted);
		},
	);
});

test.each(['America/New_York', 'Europe/Berlin', 'Asia/Tokyo'])(
	'a day in Greenwich is that day of the calendar in %s',
	async (timezone) => {
		const rows = [
			'2027-12-31T00:00:00.000Z',
			'2027-12-31T00:00:00Z',
			'2027-12-31T00:00:00+00:00',
			'2027-12-31 00:00:00+00',
			'2027-12-31 00:00:00 +00:00',
			'December 31st, 2027',
			'31st of December 2027',
		].map((expires_at, at) => ({ long_url: shop(at), expires_at }));
		expect(await becomes(rows, { timezone })).toEqual(rows.map((_row, at) => link(at, { expiry: END })));
	},
);

test.each(['#REF!', '#¡REF!', '#ÜBERLAUF!', '#BAŞV!', '#N/D', '#YOK', '#N/A', 'Loading…', '#DIV/0!'])(
	"a spreadsheet's %s is refused in every column, with its name",
	async (error) => {
		for (const title of ['Titel', 'Campaign', 'Ablaufdatum', 'Alias', 'Pixels', 'utm_source', 'Kurzlink']) {
			const [said] = await becomes([{ 'Long URL': shop(1), [title]: error }]);
			const label = title === 'Pixels' ? 'Pixel Names or IDs' : title === 'utm_source' ? 'UTM Source' : title;
			expect(said).toMatch(new RegExp(`^${label}.* has ${error.replace(/[?./!]/g, '\\$&')} from the spreadsheet`));
		}
	},
);

test.each([
	'#1 in town!',
	'#spring',
	"'Tis the season",
	"'90s Party",
	'- a note -',
	'N/A yet',
	'Never again',
	'Nothing',
])('a title %j is a title', async (title) => {
	expect(await becomes([{ url: shop(1), title }])).toEqual([link(1, { metatitle: title })]);
});

test('UTM columns are left out as far as the long URL has them, go before a fragment, and change nothing in a second run', async () => {
	const rows = [
		{ url: shop('1?utm_source=own#top'), utm_source: 'other', utm_medium: 'email', alias: 'a' },
		{ url: shop('2#top'), utm_source: 'x', alias: 'b' },
	];
	expect(await becomes(rows)).toEqual([
		link('1?utm_source=own&utm_medium=email#top', { custom: 'a' }),
		link('2?utm_source=x#top', { custom: 'b' }),
	]);
	await account.sandbox.clearRequests();
	const { items } = await account.upsert(rows);
	expect(items.map(({ json }) => json.action)).toEqual(['unchanged', 'unchanged']);
	expect(await account.changes()).toEqual([]);
	expect(await becomes([{ alias: 'a', utm_source: 'x' }])).toEqual([
		expect.stringMatching(/^utm_source is added to the long URL, and the row has none/),
	]);
});

describe('short URLs of other services', () => {
	const bitly = [
		{ Link: 'bit.ly/3xYz', 'Destination URL': shop(1) },
		{ Link: 'bit.ly/3xYa', 'Destination URL': shop(2), Bitlink: 'https://bit.ly/3xYa' },
		{ 'Destination URL': shop(3), 'Custom Bitlinks': ['https://go.acme.example/summer'] },
		{ 'Destination URL': shop(4), Bitlink: 'bit.ly/x', Alias: 'own' },
	];
	const aliases = ({ items }: Awaited<ReturnType<typeof account.upsert>>) => items.map(({ json }) => json.alias);

	beforeEach(prepare);

	test('are left alone', async () => {
		const work = await account.upsert(bitly);
		expect(aliases(work).slice(3)).toEqual(['own']);
		expect((await account.sandbox.links()).map(({ longurl }) => longurl).sort()).toEqual([1, 2, 3, 4].map(shop));
		expect((await account.sandbox.links()).filter(({ alias }) => alias === 'spring')).toEqual([]);
	});

	test('beside another short URL are an error that names both, and so are two of the account', async () => {
		const [{ json: here }, { json: there }] = (
			await account.upsert([
				{ url: shop(9), alias: 'here' },
				{ url: shop(8), alias: 'there' },
			])
		).items;
		for (const other of ['bit.ly/x', there.shorturl]) {
			const row = { url: shop(9), 'Short Link': other, 'Short URL': here.shorturl };
			expect((await account.upsert([row])).error?.message).toMatch(/Short Link.*Short URL/);
		}
	});
});

describe('a run in which no row has a value', () => {
	const blank = [
		{ 'Long URL': '', Shop: 'a' },
		{ 'Long URL': 'NULL', Shop: 'b' },
	];

	beforeEach(prepare);

	test('is refused', async () => {
		const value = { url: '={{ $json.long_url }}', custom: '={{ $json.link }}' };
		const byHand = { ...upsertOf(), columns: { mappingMode: 'defineBelow', value } };
		for (const work of [await account.upsert(blank), await account.work(byHand, blank)]) {
			expect(work.error?.message).toBe('No row has a value in a column that is read, or in a field that is mapped');
			expect(work.error?.description).toMatch(/check the expressions under Columns\./);
		}
	});

	test('rows that are passed over have the shape of the others', async () => {
		const options = { includeInput: true, dryRun: true };
		const { items } = await account.upsert([{ 'Long URL': shop(1), Shop: 'a' }, ...blank], options);
		expect(items.map(({ json }) => [json.Shop, json.link])).toEqual([
			['a', expect.objectContaining({ action: 'created', dryRun: true })],
			['a', { action: 'skipped', dryRun: true }],
			['b', { action: 'skipped', dryRun: true }],
		]);
	});
});
