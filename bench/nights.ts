import { type Dialect, EXPIRY, fillAccount, OLDER_THAN_ALL_OTHERS, sheetOfToday } from '../test/sandbox';
import type { N8n } from '../test/n8n/host';
import type { Bench, Service } from './bench';
import { ourSheet, useKey, workflowOf } from './contenders';
import { type Check, type Table } from './scenario';
import { runScript } from './script';

/** The service's limit: requests a minute. */
const PER_MINUTE = 30;
const TIMEOUT_MS = 5 * 60_000;
/** Requests beyond the fewest that there can be. */
const SLACK = 2;
export const OURS = 'Link Management';
export const SCRIPT = 'A script: the list by pages, then a request for each row';
export const NAMES: Record<Dialect, string> = { document: 'as documented', field: 'as deployed services answer' };

/** What a piece of work cost, and what came of it. */
export interface Night {
	dialect: Dialect;
	contender: string;
	work: string;
	rows: number;
	requests: number;
	/** The pages of the account’s links, one request for a new link and two for a changed one. */
	ideal: number;
	/** Rows whose link leads elsewhere than they say, or has lost what the sheet does not speak of. */
	wrong: number;
	/** Links beyond one a row. */
	twice: number;
}

/** A sheet, and which of its rows have a link already. */
export type Sheet = Pick<ReturnType<typeof sheetOfToday>, 'rows' | 'known'>;

/** An account of ten links for each row of a sheet, in ten pages for each hundred rows, and an n8n. */
export class Nights {
	readonly links: number;
	readonly page: number;
	service!: Service;
	n8n!: N8n;

	constructor(
		private readonly bench: Bench,
		readonly rows: number,
	) {
		this.links = 10 * rows;
		this.page = rows / 10;
	}

	async start(options: Parameters<Bench['startN8n']>[1] = {}): Promise<void> {
		this.service = await this.bench.startService({ limit: { requests: null } });
		this.n8n = await this.bench.startN8n(this.service.url, options);
		await useKey(this.n8n, this.service.url, this.service.apiKey);
	}

	/** Two nights over a sheet, the second with nothing new, by our node and by the script. */
	async of(dialect: Dialect): Promise<Night[]> {
		const { service, page, links } = this;
		const sheet = sheetOfToday(this.rows);
		const { rows, known, moved } = sheet;
		const name = `${rows.length.toLocaleString('en')} rows`;
		const contenders = new Map<string, () => Promise<void>>([
			[OURS, async () => await this.run(await this.n8n.createWorkflow(workflowOf(ourSheet(), rows)))],
			[SCRIPT, async () => await runScript(service.url, service.apiKey, rows, page)],
		]);
		const fresh = rows.length - known.length;
		const works = new Map([
			[`${name}: ${moved} rows moved, ${fresh} new`, links / page + 2 * moved + fresh],
			[`${name}: the same again, nothing new`, Math.ceil((links + fresh) / page)],
		]);
		const nights: Night[] = [];
		for (const [contender, doIt] of contenders) {
			await this.fill(dialect, sheet);
			for (const [work, ideal] of works) {
				await service.clearRequests();
				await doIt();
				nights.push(await this.night({ dialect, contender, work, ideal }, sheet));
			}
		}
		return nights;
	}

	/** Runs a workflow that is there. */
	async run(workflow: string): Promise<void> {
		const { status, error } = await this.n8n.run(workflow, TIMEOUT_MS);
		if (status !== 'success') throw new Error(error?.message ?? status);
	}

	/** What a night took since the requests were cleared, and how the links are now. */
	async night(of: Pick<Night, 'dialect' | 'contender' | 'work' | 'ideal'>, { rows, known }: Sheet): Promise<Night> {
		const { requests } = await this.service.stats();
		const links = await this.service.links();
		const byAlias = new Map(links.map((link) => [link.alias, link]));
		const wasThere = new Set(known);
		const wrong = rows.filter((row, at) => {
			const link = byAlias.get(row.Alias);
			return link?.longurl !== row['Long URL'] || (wasThere.has(at) && link.expiry !== EXPIRY);
		}).length;
		const addresses = new Set(rows.map((row) => row['Long URL']));
		const leading = links.map(({ longurl }) => longurl).filter((longurl) => addresses.has(longurl));
		const twice = leading.length - new Set(leading).size;
		this.bench.say(
			`${of.dialect}, ${of.contender}, ${of.work}: ${requests} requests (ideal ${of.ideal}), ${wrong} wrong, ${twice} twice`,
		);
		return { ...of, rows: rows.length, requests, wrong, twice };
	}

	/** The links of known rows have an expiry that the sheet does not speak of. */
	async fill(dialect: Dialect, { rows, known }: Sheet): Promise<void> {
		const { service, links, page } = this;
		await fillAccount(service, { dialect, key: service.apiKey, links: links - known.length, page, known: [] });
		await service.createRecords({
			links: known.map((number) => ({
				alias: rows[number].Alias,
				longurl: rows[number]['Long URL'].replace('/moved/', '/page/'),
				date: OLDER_THAN_ALL_OTHERS,
				expiry: EXPIRY,
			})),
		});
		await service.clearRequests();
	}
}

/** That our node took hardly more than the fewest requests, and that no row is wrong. */
export function nightChecks(nights: Night[]): Check[] {
	return nights
		.filter(({ contender }) => contender === OURS)
		.map(({ dialect, work, requests, wrong, twice, ideal }) => ({
			promise: `${work}, ${NAMES[dialect]}`,
			target: `≤ ${ideal + SLACK} requests, 0 rows wrong, 0 twice`,
			measured: `${requests} requests, ${wrong} rows wrong, ${twice} twice`,
			met: requests <= ideal + SLACK && wrong === 0 && twice === 0,
			exact: true,
		}));
}

/** A table for each of the dialects in which there were nights. */
export function nightTables(nights: Night[]): Table[] {
	return [...new Set(nights.map(({ dialect }) => dialect))].map((dialect) => ({
		title: NAMES[dialect],
		columns: ['', 'requests', 'ideal', `minutes at ${PER_MINUTE} a minute`, 'rows wrong', 'links twice'],
		rows: nights
			.filter((night) => night.dialect === dialect)
			.map(({ contender, work, requests, ideal, wrong, twice }) => [
				`${contender}; ${work}`,
				requests,
				contender === OURS ? ideal : '',
				(requests / PER_MINUTE).toFixed(1),
				wrong,
				twice,
			]),
	}));
}
