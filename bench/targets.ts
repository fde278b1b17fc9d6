import type { N8n } from '../test/n8n/host';
import {
	type Dialect,
	DIALECTS,
	EXPIRY,
	fillAccount,
	OLDER_THAN_ALL_OTHERS,
	sheetOfToday,
	type SheetRow,
} from '../test/sandbox';
import { COUNTRIES } from './awakeJobs';
import type { Bench, Service } from './bench';
import { ourSheet, useKey, workflowOf } from './contenders';
import type { Findings, Scenario } from './scenario';
import { runScript } from './script';

/** The service's limit: requests a minute. */
const PER_MINUTE = 30;
const TIMEOUT_MS = 5 * 60_000;
const VISITORS = 'Visitors';
const NONE = 'NO';
const NAMES: Record<Dialect, string> = { document: 'as documented', field: 'as deployed services answer' };

/** What a night cost, and what came of it. */
interface Night {
	dialect: Dialect;
	share: string;
	contender: string;
	night: string;
	requests: number;
	wrong: number;
	ideal: number;
}

/** A sheet, in which so many rows name an address for visitors from all countries. */
interface TargetSheet {
	share: string;
	rows: SheetRow[];
	known: number[];
	/** Rows that the links' details have to be read for, as some differ and of others no list tells whether they do. */
	read: number;
	moved: number;
	withTargets: number;
}

function sheetOf(count: number, every: number, share: string): TargetSheet {
	const { rows, known, moved } = sheetOfToday(count);
	const address = (at: number) => (at % every === 0 ? `https://example.com/visitors/${at}` : NONE);
	const isRead = (at: number) => rows[at][VISITORS] !== NONE || rows[at]['Long URL'].includes('/moved/');
	for (const [at, row] of rows.entries()) row[VISITORS] = address(at);
	const withTargets = rows.filter((row) => row[VISITORS] !== NONE).length;
	return { share, rows, known, read: known.filter(isRead).length, moved, withTargets };
}

const targetsOf = ({ [VISITORS]: link }: SheetRow) =>
	link === NONE ? {} : { geotarget: COUNTRIES.map((location) => ({ location, link })) };

/** The country names are told in small letters (field notes, "Resources"). */
const locationOf = ({ [VISITORS]: link }: SheetRow): Record<string, string> =>
	link === NONE ? {} : Object.fromEntries(COUNTRIES.map((country) => [country.toLowerCase(), link]));

class Targets {
	private service!: Service;
	private n8n!: N8n;
	private readonly links: number;
	private readonly page: number;
	private readonly sheets: TargetSheet[];

	constructor(private readonly bench: Bench) {
		const count = bench.quick ? 100 : 1000;
		this.links = 10 * count;
		this.page = count / 10;
		this.sheets = [sheetOf(count, 1, 'all rows'), sheetOf(count, 4, 'one row of four')];
	}

	async run(): Promise<Findings> {
		const { bench } = this;
		this.service = await bench.startService({ limit: { requests: null } });
		this.n8n = await bench.startN8n(this.service.url, { packages: ['own'] });
		await useKey(this.n8n, this.service.url, this.service.apiKey);
		const nights: Night[] = [];
		for (const dialect of DIALECTS)
			for (const sheet of this.sheets) nights.push(...(await this.nights(dialect, sheet)));
		return this.findings(nights);
	}

	/** Two nights, the second with nothing new, by our node and by the script. */
	private async nights(dialect: Dialect, sheet: TargetSheet): Promise<Night[]> {
		const { service, n8n, page, links } = this;
		const { rows, known, read, moved, withTargets, share } = sheet;
		const link = `={{ $json.${VISITORS} === '${NONE}' ? '' : $json.${VISITORS} }}`;
		const ours = ourSheet({}, { geotarget: { values: [{ location: COUNTRIES, link }] } });
		const contenders = new Map<string, () => Promise<void>>([
			[
				'Link Management',
				async () => {
					const { status, error } = await n8n.runWorkflow(workflowOf(ours, rows), { timeoutMs: TIMEOUT_MS });
					if (status !== 'success') throw new Error(error?.message ?? status);
				},
			],
			['The script', async () => await runScript(service.url, service.apiKey, rows, page, targetsOf)],
		]);
		const fresh = rows.length - known.length;
		const ideals = [links / page + read + moved + fresh, Math.ceil((links + fresh) / page) + withTargets];
		const nights: Night[] = [];
		for (const [contender, work] of contenders) {
			await this.fill(dialect, sheet);
			for (const [at, night] of [`${moved} rows moved, ${fresh} new`, 'nothing new'].entries()) {
				await service.clearRequests();
				await work();
				const { requests } = await service.stats();
				const one = { dialect, share, contender, night, requests, wrong: await this.wrong(sheet), ideal: ideals[at] };
				this.bench.say(`${dialect}, ${share}, ${contender}, ${night}: ${requests} requests, ${one.wrong} rows wrong`);
				nights.push(one);
			}
		}
		return nights;
	}

	/** The links of known rows have their targets, and an expiry that the sheet does not speak of. */
	private async fill(dialect: Dialect, { rows, known }: TargetSheet): Promise<void> {
		const { service, links, page } = this;
		await fillAccount(service, { dialect, key: service.apiKey, links: links - known.length, page, known: [] });
		await service.createRecords({
			links: known.map((number) => ({
				alias: rows[number].Alias,
				longurl: rows[number]['Long URL'].replace('/moved/', '/page/'),
				date: OLDER_THAN_ALL_OTHERS,
				expiry: EXPIRY,
				location: locationOf(rows[number]),
			})),
		});
		await service.clearRequests();
	}

	/** Rows whose link leads elsewhere than they say, or has lost what the sheet does not speak of. */
	private async wrong({ rows, known }: TargetSheet): Promise<number> {
		const byAlias = new Map((await this.service.links()).map((link) => [link.alias, link]));
		const wasThere = new Set(known);
		return rows.filter((row, at) => {
			const link = byAlias.get(row.Alias);
			const wanted = Object.entries(locationOf(row));
			const location = Object.entries(link?.location ?? {});
			return (
				link?.longurl !== row['Long URL'] ||
				location.length !== wanted.length ||
				wanted.some(([country, address]) => link.location[country] !== address) ||
				(wasThere.has(at) && link.expiry !== EXPIRY)
			);
		}).length;
	}

	private findings(nights: Night[]): Findings {
		const minutes = (requests: number) => (requests / PER_MINUTE).toFixed(1);
		const [{ rows }] = this.sheets;
		return {
			title: 'A sheet with targets, beside the script',
			introduction: [
				`A sheet of ${rows.length.toLocaleString('en')} rows and an account of ${this.links.toLocaleString('en')} links, shown in pages of ${this.page}; ${COUNTRIES.length} countries lead to an address of their own where a row names ` +
					'one. The script is what users of these services were seen to write: it reads the list, and sends one request for each row, every night. Requests and rows are counted at the service; ' +
					`the minutes are computed from the requests, at ${PER_MINUTE} a minute. A row is wrong whose link leads elsewhere than it says, or has lost its expiry, of which the sheet does not speak.`,
			],
			checks: nights
				.filter(({ contender }) => contender === 'Link Management')
				.map(({ dialect, share, night, requests, wrong, ideal }) => ({
					promise: `targets in ${share}, ${night}, ${NAMES[dialect]}`,
					target: `≤ ${ideal + 3} requests, 0 rows wrong`,
					measured: `${requests} requests, ${wrong} rows wrong`,
					met: requests <= ideal + 3 && wrong === 0,
					exact: true,
				})),
			tables: DIALECTS.map((dialect) => ({
				title: NAMES[dialect],
				columns: ['', 'requests', 'minutes at 30 a minute', 'rows wrong'],
				rows: nights
					.filter((night) => night.dialect === dialect)
					.map(({ contender, share, night, requests, wrong }) => [
						`${contender}: targets in ${share}, ${night}`,
						String(requests),
						minutes(requests),
						String(wrong),
					]),
			})),
			charts: [],
			notes: [],
			runs: 1,
		};
	}
}

export const run: Scenario['run'] = async (bench) => await new Targets(bench).run();
