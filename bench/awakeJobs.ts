import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { sheetRows } from '../test/sandbox';
import { ALL_LINKS, type Contender, http, httpList, ours, ourSheet, own } from './contenders';

/** Rows, and what is done with them. */
export interface Job {
	name: string;
	rows: IDataObject[];
	/** Links that the account has, half as many of them the rows' own as there are rows. */
	links: number;
	campaigns?: number;
	/** Whether n8n's memory is measured too. */
	isWeighed?: boolean;
	/** Ours comes first, then one of n8n's own nodes that it is compared with; what does nothing comes last. */
	contenders: (serviceUrl: string) => Contender[];
	/** Items that come out, where there are others than one for each row. */
	items?: number;
}

/** What n8n itself takes for so many items. */
export const NOTHING: Contender = {
	name: 'No Operation',
	nodes: [{ name: 'No Operation', type: 'n8n-nodes-base.noOp', parameters: {} }],
};

/** What n8n's own node takes that adds to each row what people would make of it. */
const EDIT_FIELDS: Contender = {
	name: 'Edit Fields',
	nodes: [
		{
			name: 'Edit Fields',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: {
				assignments: {
					assignments: [
						{ id: '1', name: 'shorturl', type: 'string', value: '=https://short.example/{{ $json.Alias }}' },
						{ id: '2', name: 'action', type: 'string', value: 'created' },
					],
				},
				includeOtherFields: true,
				options: {},
			},
		},
	],
};

const upsert = (targets: IDataObject[] = [], dryRun = true): Contender =>
	ourSheet({ dryRun }, targets.length === 0 ? {} : { geotarget: { values: targets } });

const FIELDS = { url: 'url', custom: 'alias' };
/** As many as the sheets of this API""s users name. */
const COUNTRIES = Array.from({ length: 71 }, (_, number) => `Country ${number + 1}`);
const VISITORS = '={{ $json["Long URL"] }}/visitors';
const ONCE = [{ location: COUNTRIES, link: VISITORS }];
const EACH = COUNTRIES.map((country) => ({ location: [country], link: VISITORS }));
const CAMPAIGNS = 5000;
/** Records of a page that the service grants. */
export const PAGE = 1000;
/** The job that the document compares. */
export const LINKS_MADE = '2,000 links made';

const plainRows = (count: number): IDataObject[] =>
	sheetRows(count).map(({ 'Long URL': url, Alias: alias }) => ({ url, alias }));

/** Rows that name campaigns which nobody has, each another one. */
function misspelt(): Contender {
	const [node] = ours(FIELDS).nodes;
	const campaign = { __rl: true, mode: 'name', value: '=Campaing of the saeson {{ $json.alias }}' };
	const { linkFields } = node.parameters as { linkFields: IDataObject };
	const parameters = { ...node.parameters, linkFields: { ...linkFields, campaign } } as INodeParameters;
	return goingOn({ name: 'Link Management', nodes: [{ ...node, parameters }] });
}

/** The same, which goes on after a row that fails. */
function goingOn({ nodes, ...contender }: Contender): Contender {
	return { ...contender, nodes: nodes.map((node) => ({ ...node, onError: 'continueRegularOutput' })) };
}

/** Rows that mean harm: each is refused. Names that all spell one title, and cells of half a megabyte. */
const HARM: IDataObject[] = [
	Object.fromEntries(
		Array.from({ length: 40_000 }, (_, at) => [`Meta${'-'.repeat(at % 190)}${' '.repeat(at / 190)}Title`, 'x']),
	),
	{ 'Short URL': 'https://lnk.example/a '.repeat(25_000) },
	{ url: 'https://example.com/', Pixels: '1,'.repeat(150_000) },
	{ url: `https://example.com/?${'%20'.repeat(300_000)}` },
	{ url: '\u200b'.repeat(1_000_000) },
];

/** @param quick one small job, to see that everything works */
export function jobs(quick: boolean): Job[] {
	const against = (rows: number, links: number): Job => ({
		name: `${rows.toLocaleString('en')} rows against ${links.toLocaleString('en')} links`,
		rows: sheetRows(rows),
		links,
		contenders: () => [upsert(), NOTHING],
	});
	if (quick) return [against(20, 100)];
	const sheet = { links: 1000, contenders: () => [upsert(ONCE, false), NOTHING] };
	return [
		{ ...sheet, name: '1,000 rows, 71 targets chosen once', rows: sheetRows(1000) },
		{
			...sheet,
			name: '80 rows, 71 targets each by itself',
			rows: sheetRows(80),
			contenders: () => [upsert(EACH), NOTHING],
		},
		against(5000, 100_000),
		{ ...against(50_000, 100_000), isWeighed: true, contenders: () => [upsert(), EDIT_FIELDS, NOTHING] },
		{
			name: 'list of 100,000 links',
			rows: [{}],
			links: 100_000,
			contenders: (url) => [own(ALL_LINKS), httpList(url, PAGE), NOTHING],
			items: 100_000,
		},
		{
			name: LINKS_MADE,
			rows: plainRows(2000),
			links: 0,
			contenders: (url) => [ours(FIELDS), http(url, FIELDS), NOTHING],
		},
		...HARM.map((row, at): Job => ({
			name: `an item that means harm, ${at + 1} of ${HARM.length}`,
			rows: [row],
			links: 0,
			contenders: () => [goingOn(upsert()), NOTHING],
		})),
		{
			name: `500 rows, each with a campaign that is none of ${CAMPAIGNS.toLocaleString('en')}`,
			rows: plainRows(500),
			links: 0,
			campaigns: CAMPAIGNS,
			contenders: () => [misspelt(), NOTHING],
		},
	];
}

/** A first row, after which n8n and the package are loaded. */
export const WARM_UP = { contender: { ...upsert(ONCE), name: 'Warm up' }, rows: sheetRows(1) };
