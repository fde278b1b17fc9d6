/** The workflows to import for sheets of other shapes, for moving in and out, and for what the service posts; run in both dialects. */
import { readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import type { IDataObject } from 'n8n-workflow';
import { DIALECT } from '../dialect';
import type { Sandbox } from '../sandbox';
import { csv, readCsv } from './csv';
import { countRequests, Example, GoogleSheet } from './example';
import { emptyAccounts, type SharedSession } from './host/shared';

let n8n: SharedSession;
let sandbox: Sandbox;

emptyAccounts({ dialect: DIALECT }, (session, service) => {
	n8n = session;
	sandbox = service;
});

const runAndCount = async ({ workflow }: Example, started?: { trigger: string; json: IDataObject }) =>
	await countRequests(
		sandbox,
		async () =>
			await n8n.runWorkflow(workflow, started && { trigger: started.trigger, items: [{ json: started.json }] }),
	);

function inFolder(file: string): Example {
	return new Example(file, { filesFolder: n8n.filesFolder });
}

const path = (name: string): string => join(n8n.filesFolder, name);

const TARGETS = ['https://eu.example.com/a', 'NO', 'https://eu.example.com/c', 'NO'].map((address, at) => ({
	alias: `target-${at}`,
	'long URL': `https://shop.example.com/target/${at}`,
	'short URL': '',
	description: `Note ${at}`,
	'address for the EU': address,
}));

/** The results of a sheet with targets, as rows. */
function targetResults(result: string): unknown[] {
	return TARGETS.map((row) => ({
		...row,
		'short URL': expect.stringMatching(new RegExp(`/${row.alias}$`)),
		result,
	}));
}

async function targetsOf(alias: string): Promise<string[]> {
	const { location } = (await sandbox.links()).find((link) => link.alias === alias)!;
	return [...new Set(Object.values(location).map(String))];
}

describe('sheet-with-targets.json', () => {
	it('makes links with targets where the row has an address, and reads those alone the next time', async () => {
		writeFileSync(path('targets.csv'), csv(TARGETS));
		const example = inFolder('sheet-with-targets.json');
		const first = await runAndCount(example);
		expect(readCsv(path('targets-in-step.csv'))).toEqual(targetResults('created'));
		expect(first.requests).toEqual({ GET: 1, POST: 4 });
		expect(await targetsOf('target-0')).toEqual(['https://eu.example.com/a']);
		expect(await targetsOf('target-1')).toEqual([]);

		const second = await runAndCount(example);
		expect(readCsv(path('targets-in-step.csv'))).toEqual(targetResults('unchanged'));
		expect(second.requests).toEqual({ GET: 1 + 2 });

		writeFileSync(
			path('targets.csv'),
			csv(TARGETS.map((row, at) => (at === 0 ? { ...row, 'address for the EU': 'https://eu.example.com/new' } : row))),
		);
		const third = await runAndCount(example);
		expect(readCsv(path('targets-in-step.csv')).map(({ result }) => result)).toEqual([
			'updated',
			'unchanged',
			'unchanged',
			'unchanged',
		]);
		expect(third.requests).toEqual({ GET: 1 + 2, PUT: 1 });
		expect(await targetsOf('target-0')).toEqual(['https://eu.example.com/new']);
	});
});

describe('sheet-with-targets-google-sheets.json', () => {
	it('does so with a Google sheet, and writes short URL and result beside each row', async () => {
		const sheet = await GoogleSheet.start(TARGETS.map((row) => ({ ...row })));
		const example = new Example('sheet-with-targets-google-sheets.json');
		sheet.replaceIn(example);
		expect((await runAndCount(example)).requests).toEqual({ GET: 1, POST: 4 });
		expect(sheet.rows).toEqual(targetResults('created'));
		expect((await runAndCount(example)).requests).toEqual({ GET: 1 + 2 });
		expect(sheet.rows).toEqual(targetResults('unchanged'));
	});
});

describe('take-down-pasted-addresses.json', () => {
	it('deletes the links that were pasted, in whatever form, and nothing else', async () => {
		const { links } = await sandbox.createRecords({
			links: ['bad', 'worse', 'good'].map((alias) => ({ alias })),
		});
		const [bad, worse, good] = links.map(({ shorturl }) => new URL(shorturl));
		const pasted = [
			`hxxp://${bad.host.replaceAll('.', '[.]')}/bad`,
			worse.href,
			`${good.origin}/qr/good`,
			'https://elsewhere.example.com/good',
		];
		const { execution } = await runAndCount(new Example('take-down-pasted-addresses.json'), {
			trigger: 'Addresses',
			json: { Addresses: pasted.join('\n') },
		});
		expect(execution.json('What was done')).toEqual([
			{ address: pasted[0], result: expect.stringMatching(/^deleted /) },
			{ address: pasted[1], result: expect.stringMatching(/^deleted /) },
			{ address: pasted[2], result: expect.stringMatching(/^not deleted: There is no/) },
			{ address: pasted[3], result: expect.stringMatching(/^not deleted: There is no/) },
		]);
		expect((await sandbox.links()).map(({ alias }) => alias)).toEqual(['good']);
	});
});

describe('clicks-for-long-urls.json', () => {
	it('finds links by their long URLs, to the letter, and reads the list once', async () => {
		const { links } = await sandbox.createRecords({
			links: ['/a', '/a?next=/'].map((at, index) => ({
				alias: `long-${index}`,
				longurl: `https://shop.example.com${at}`,
				clicks: index + 1,
			})),
		});
		const rows = [...links.map(({ longurl }) => ({ url: longurl })), { url: 'https://shop.example.com/a?next=' }];
		writeFileSync(path('long-urls.csv'), csv(rows));
		const { requests } = await runAndCount(inFolder('clicks-for-long-urls.json'));
		expect(readCsv(path('long-urls-with-clicks.csv'))).toEqual([
			{ ...rows[0], short_url: links[0].shorturl, clicks: '1', result: 'counted' },
			{ ...rows[1], short_url: links[1].shorturl, clicks: '2', result: 'counted' },
			{ ...rows[2], short_url: '', clicks: '', result: expect.stringMatching(/^failed: There is no/) },
		]);
		expect(requests).toEqual({ GET: 1 });
	});
});

describe('clicks-day-by-day.json', () => {
	it("records each link's clicks once a day, with what grew since the day before", async () => {
		const { id: project } = await n8n.rest<{ id: string }>('GET', '/rest/projects/personal');
		const tables = `/rest/projects/${project}/data-tables`;
		const column = (name: string, type: string) => ({ name, type });
		const { id } = await n8n.rest<{ id: string }>('POST', tables, {
			name: 'link clicks',
			columns: [
				column('day', 'string'),
				column('short_url', 'string'),
				...['link_id', 'clicks', 'since_yesterday'].map((name) => column(name, 'number')),
			],
		});
		try {
			const { links } = await sandbox.createRecords({ links: [{ alias: 'counted', clicks: 5 }] });
			const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
			const example = new Example('clicks-day-by-day.json');
			example.workflow.settings = { ...example.workflow.settings, timezone: 'Etc/UTC' };
			const recorded = async () =>
				(await n8n.rest<{ data: IDataObject[] }>('GET', `${tables}/${id}/rows`)).data.map(
					({ day, clicks, since_yesterday: grown }) => ({ isToday: day !== yesterday, clicks, grown }),
				);
			await n8n.rest('POST', `${tables}/${id}/insert`, {
				data: [{ day: yesterday, short_url: '', link_id: links[0].id, clicks: 2, since_yesterday: 2 }],
				returnType: 'count',
			});
			await runAndCount(example);
			await sandbox.simulate({ clicks: [{ id: links[0].id, count: 1 }] });
			await runAndCount(example);
			expect(await recorded()).toEqual([
				{ isToday: false, clicks: 2, grown: 2 },
				{ isToday: true, clicks: 6, grown: 4 },
			]);
		} finally {
			await n8n.rest('DELETE', `${tables}/${id}`);
		}
	});
});

describe('move-in-from-csv.json', () => {
	it('says first what would happen, and then makes the links with the aliases that they had', async () => {
		const rows = [1, 2].map((at) => ({
			long_url: `https://shop.example.com/moved/${at}`,
			link: `https://old.example.com/moved-${at}`,
			title: `Moved ${at}`,
		}));
		writeFileSync(path('export.csv'), csv(rows));
		const example = inFolder('move-in-from-csv.json');
		expect((await runAndCount(example)).requests).toEqual({ GET: 1 });
		expect(readCsv(path('moved-in.csv')).map(({ result }) => result)).toEqual(rows.map(() => 'created (dry run)'));

		const { options } = example.node('Create or update links').parameters as { options: IDataObject };
		example.set('Create or update links', { options: { ...options, dryRun: false } });
		expect((await runAndCount(example)).requests).toEqual({ GET: 1, POST: 2 });
		expect((await sandbox.links()).map(({ alias, longurl }) => [alias, longurl]).sort()).toEqual(
			rows.map(({ long_url: url }, at) => [`moved-${at + 1}`, url]),
		);
		expect(readCsv(path('moved-in.csv'))).toEqual(
			rows.map((row, at) =>
				expect.objectContaining({
					long_url: row.long_url,
					old_link: row.link,
					short_url: expect.stringMatching(new RegExp(`/moved-${at + 1}$`)),
					result: 'created',
				}),
			),
		);
	});
});

describe('export-all-links.json', () => {
	it('writes every link of the account', async () => {
		await sandbox.seedRecords({ links: 130 });
		await runAndCount(inFolder('export-all-links.json'));
		expect(readFileSync(path('all-links.csv'), 'utf8').trim().split('\n')).toHaveLength(131);
		const aliases = (await sandbox.links()).map(({ alias }) => alias);
		expect(
			readCsv(path('all-links.csv'))
				.map(({ alias }) => alias)
				.sort(),
		).toEqual(aliases.sort());
	});
});

describe('instant-events.json', () => {
	it.each([
		['a short URL by its name', (link: IDataObject) => ({ url: link.longurl, shorturl: link.shorturl })],
		['a short URL within data', (link: IDataObject) => ({ event: 'click', data: { short: link.shorturl } })],
		['the only address', (link: IDataObject) => ({ id: link.id, link: link.shorturl })],
	])('reads the link of which %s was posted', async (_what, body) => {
		const { links } = await sandbox.createRecords({
			links: [{ alias: 'posted', longurl: 'https://shop.example.com/posted' }],
		});
		const { execution } = await runAndCount(new Example('instant-events.json'), {
			trigger: 'Posted by the service',
			json: { headers: {}, params: {}, query: {}, body: body({ ...links[0] }) },
		});
		expect(execution.json('The link')).toEqual([
			expect.objectContaining({ id: links[0].id, longurl: 'https://shop.example.com/posted' }),
		]);
	});
});
