/** The account of a scenario, what others do in it, and what holds of it whatever is run. */
import type { Account } from '../engine/account';
import type { Behaviour, LinkWithAddress, LoggedRequest } from '../sandbox';
import { behaviourOf } from '../sandbox/dialect';
import { CAMPAIGNS, GO, type Scenario, type SheetRow } from './scenario';

const CHANNEL = 9;
/** Of a link that others make. */
export const THEIR_ID = 9_000;

/** The account that a scenario is about, and what is wrong with it. */
export class World {
	/** What is wrong, in the words of a user who looks at the account. */
	readonly complaints: string[] = [];

	/** The links as they were at the last look. */
	links: LinkWithAddress[] = [];

	/** Every link that was there at any time of the turn. */
	seen: LinkWithAddress[] = [];

	constructor(
		readonly account: Account,
		readonly scenario: Scenario,
	) {}

	/** How the service answers. */
	get behaviour(): Behaviour {
		const { dialect, deviations } = this.scenario;
		return { ...behaviourOf(dialect), shortLinksElsewhere: false, ...deviations };
	}

	/** Makes the account. */
	async begin(): Promise<void> {
		const { dialect, links, padding } = this.scenario;
		const newer = Array.from({ length: padding }, (_, at) => ({
			alias: `poster-r1-one-${at}`,
			longurl: `https://padding.example.com/${at}`,
			date: '2021-01-01 00:00:00',
		}));
		await this.account.has(dialect, {
			links: [...links, ...newer],
			campaigns: CAMPAIGNS,
			channels: [{ id: CHANNEL, name: 'News' }],
			domains: [GO],
			deviations: this.behaviour,
		});
	}

	/** Where short links without a domain stand. */
	get own(): string {
		const { url } = this.account.sandbox;
		return this.behaviour.shortLinksElsewhere ? url.replace('127.0.0.1', 'localhost') : url;
	}

	/** Nobody meddles, and no request fails. */
	get isCalm(): boolean {
		return this.scenario.faults.length === 0 && this.scenario.meddling === undefined;
	}

	/** A new link is what was asked for. */
	get takesEverything(): boolean {
		const { knownLongUrl, aliasDropped, domainDropped } = this.behaviour;
		return knownLongUrl === 'new' && !aliasDropped && !domainDropped;
	}

	/** n8n starts anew before a run, where the scenario has it so. */
	beforeRun(): void {
		if (this.scenario.isRestarted) this.account.restart();
	}

	complain(what: string): void {
		this.complaints.push(what);
	}

	async calm(): Promise<void> {
		await this.account.sandbox.clearFaults();
		await this.account.sandbox.setPageHook();
	}

	/** Looks at the account. @returns the changes that the service has worked since the look before */
	async look(): Promise<LoggedRequest[]> {
		const { sandbox } = this.account;
		const requests = await sandbox.requests();
		await sandbox.clearRequests();
		this.links = await sandbox.links();
		this.seen = [...this.seen, ...this.links];
		return requests.filter(({ method, worked }) => method !== 'GET' && worked);
	}

	/** Others give each of two links everything that the other one had but its ID. */
	async exchange([one, other]: LinkWithAddress[]): Promise<void> {
		const { sandbox } = this.account;
		await sandbox.deleteRecords({ links: [one.id, other.id] });
		await sandbox.createRecords({
			links: [
				{ ...one, id: other.id },
				{ ...other, id: one.id },
			],
		});
	}

	async meddle(): Promise<void> {
		const { meddling } = this.scenario;
		if (meddling === undefined) return;
		const { afterPage, does, link } = meddling;
		const holder = this.links.find(({ alias, domain }) => alias === link.alias && domain === link.domain);
		if ((holder === undefined) !== (does === 'creates')) return;
		const renamed = { ...holder, ...link, alias: `their-${link.alias}` };
		const create = does === 'deletes' ? [] : [does === 'renames' ? renamed : { ...link, id: THEIR_ID }];
		this.seen.push(
			...create.map((one) => ({ ...one, shorturl: `${one.domain || this.own}/${one.alias}` }) as LinkWithAddress),
		);
		const gone = holder === undefined ? {} : { delete: { links: [holder.id] } };
		await this.account.sandbox.setPageHook({ afterPage, create: { links: create }, ...gone });
	}

	/** No link was changed or deleted but those that are named. */
	expectNamed(changes: LoggedRequest[], named: Array<number | undefined>): void {
		for (const { method, path } of changes) {
			const id = Number(/^\/api\/url\/(\d+)\/|assign\/(?:links\/)?(\d+)$/.exec(path)?.slice(1).find(Boolean));
			if (!Number.isNaN(id) && !named.includes(id)) this.complain(`${method} ${path} touched a link that no row names`);
		}
	}

	/** What a row does not speak of is as it was. */
	expectKept(changes: LoggedRequest[], before: LinkWithAddress[], rows: SheetRow[]): void {
		for (const { path } of changes.filter(({ method }) => method === 'PUT')) {
			const id = Number(path.split('/')[3]);
			const [was, is] = [before, this.links].map((links) => links.find((link) => link.id === id));
			if (was === undefined || is === undefined) continue;
			const says = (...names: Array<keyof SheetRow>) =>
				rows.some((row) => names.some((name) => row[name] !== undefined));
			const isLost = JSON.stringify(was.location) !== JSON.stringify(is.location) && !says('germany');
			const lost = [
				...(isLost ? ['targets'] : []),
				...(was.expiry !== is.expiry && !says('expiry') ? ['expiry'] : []),
				...(was.title !== is.title && !says('title') ? ['title'] : []),
				...(was.description !== is.description && !says('description') ? ['description'] : []),
				...(was.alias !== is.alias && !says('short', 'url') ? ['alias'] : []),
			];
			if (lost.length > 0 && this.scenario.meddling === undefined) this.complain(`an update lost ${lost.join(', ')}`);
		}
	}
}
