import type { IDataObject } from 'n8n-workflow';

import { SimulatedService } from '../unit/watchSimulation';
import { Books, type Due } from './books';
import {
	LONGEST_POLL,
	type Change,
	type Deed,
	type LifeStory,
	type OddAnswer,
	type Step,
	type WatchStory,
} from './history';
import { PlayedN8n, type Fate, type Mode, type TriggerNode } from './n8n';
import { LifeService, type Turn } from './service';
import { pass, passing } from './time';

const MINUTE = 60_000;
const MOST_TRIES = 5;
const SMALLEST_PAGE = 15;

type PollStep = Extract<Step, { do: 'poll' }>;

/** Keys of services: what a process has learned of one must not be known in another life. */
let keys = 0;

/** A trigger, what is due to be reported by it, and what was. */
class LivingTrigger {
	readonly books: Books;
	readonly n8n: PlayedN8n;
	/** `starting`: the first reading of the list may not be over. */
	phase: 'off' | 'starting' | 'on' = 'off';
	told = 0;
	private selected: number[];
	/** Chosen for a while: what happens to them may be reported. */
	private readonly loose = new Set<number>();
	private node: TriggerNode;
	private threshold: number;
	private readings = 0;

	constructor(
		private readonly story: WatchStory,
		private readonly mode: Mode,
		private readonly service: LifeService,
		budget: number,
		apiKey: string,
		/** There were records at first, and none is ever removed: what the trigger knows of the account can be seen. */
		private readonly isKept: boolean,
	) {
		this.books = new Books(story);
		this.threshold = story.threshold;
		this.selected = this.books.isOfNew ? [] : service.records.ids().slice(0, story.selected);
		this.node = { name: 'Trigger', parameters: this.parameters() };
		this.n8n = new PlayedN8n(mode, service, this.node, budget, apiKey);
	}

	private parameters(): IDataObject {
		const { event, thresholdMode } = this.story;
		const watch = this.selected.length > 0 ? 'selected' : 'all';
		const counted = { watch, linkIds: this.selected, qrCodeIds: this.selected };
		return { event, ...(this.books.isOfNew ? {} : counted), threshold: this.threshold, thresholdMode };
	}

	/** What happens to a record now is due to be reported so. */
	dueOf(id: number): Due {
		const due = ({ off: 'no', starting: 'maybe', on: 'sure' } as const)[this.phase];
		return due === 'sure' && this.loose.has(id) ? 'maybe' : due;
	}

	complaints(): string[] {
		const ids = new Set([...this.selected, ...this.loose]);
		// Other modes save the state with an execution alone.
		const isEmpty = this.mode === 'durable' && this.n8n.empty > 0;
		const complaints = this.books.complaints((id) => ids.size === 0 || ids.has(id));
		return isEmpty ? [...complaints, 'an execution was started without an item'] : complaints;
	}

	/** Enters what was reported. @returns how much it was */
	take(): number {
		const items = this.n8n.reported.slice(this.told);
		for (const item of items) this.books.report(item);
		this.told += items.length;
		return items.length;
	}

	async poll(fate?: Fate): Promise<void> {
		await passing(this.n8n.poll(fate).catch(() => undefined));
	}

	/** The first reading is over when the list was read to its end, and once more. */
	settle(): void {
		if (this.phase !== 'starting') return;
		this.readings += this.service.hasShownEnd ? 1 : 0;
		this.service.hasShownEnd = false;
		if (this.readings > 1) this.phase = 'on';
	}

	async restart(): Promise<void> {
		this.take();
		if (this.phase === 'starting') this.begin();
		await passing(this.n8n.restart());
	}

	/** What happens while it is off is due as before. */
	turnOff(): void {
		this.n8n.unpublish();
	}

	/** A first reading begins: what was not reported until now need not be. */
	private begin(): void {
		this.books.writeOff();
		this.phase = 'starting';
		this.readings = 0;
	}

	/** The credential gets another key. Where nothing that the trigger knows may be left to see, it may start over. */
	renewKey(): void {
		this.n8n.apiKey += "'";
		const isKnown = this.isKept && this.phase === 'on';
		if (this.phase !== 'off' && !isKnown) this.begin();
	}

	/** Publishes the workflow, or an edit of it. @param turn what is odd at the first try */
	async publish(change: Change = 'nothing', turn: Turn = {}): Promise<void> {
		this.change(change);
		if (this.phase === 'off') this.begin();
		for (let tries = 0; ; tries++) {
			const warnings = this.n8n.warnings.length;
			this.service.begin(tries === 0 ? turn : {});
			this.service.hasShownEnd = false;
			try {
				await passing(this.n8n.publish(this.node));
			} catch (error) {
				if (tries === MOST_TRIES) throw error;
				// A key that was refused is tried again after a minute.
				await pass(MINUTE);
				continue;
			}
			this.service.begin();
			const isCut = this.n8n.warnings.slice(warnings).some((text) => text.includes('had no time to read all'));
			if (this.phase === 'starting' && !isCut) this.phase = 'on';
			return;
		}
	}

	private change(change: Change): void {
		if (change === 'name') this.node = { ...this.node, name: `${this.node.name}'` };
		if (change === 'name' && (this.mode !== 'durable' || this.phase === 'starting')) this.begin();
		if (change === 'key') this.renewKey();
		if (change === 'threshold' && this.story.event === 'linkClickThreshold') {
			this.begin();
			this.threshold += 3;
			this.books.changeThreshold(this.threshold);
		}
		if (change === 'selected' && this.selected.length > 0) this.choose();
		this.node = { ...this.node, parameters: this.parameters() };
	}

	/** Watches other records, but for some that it keeps. */
	private choose(): void {
		const before = this.selected;
		const other = this.service.records.ids().find((id) => !before.includes(id));
		if (other === undefined) return;
		this.selected = [...before.slice(1), other];
		this.books.writeOff([before[0], other]);
		this.loose.add(before[0]).add(other);
	}
}

/** The life of a trigger at a service, beside others of the same key. */
class Life {
	private readonly records: SimulatedService;
	private readonly service: LifeService;
	private readonly first: LivingTrigger;
	/** The last odd answer showed no counts. */
	private hadFallen = false;
	/** Those that poll before the first one, and how long before: the earliest comes first. */
	private readonly others: Array<{ before: number; trigger: LivingTrigger }>;

	constructor(private readonly story: LifeStory) {
		const { order, ties, totals, pageTooMany, page, latency, atFirst, mode, budget, neighbors } = story;
		this.records = new SimulatedService(order, page, { ties, totals });
		this.service = new LifeService(this.records, page, latency, pageTooMany);
		for (let n = 0; n < atFirst; n++, this.records.tick()) this.records.create(n % 40);
		const apiKey = `key ${++keys}`;
		const isKept = atFirst > 0 && !JSON.stringify(story.steps).includes('"remove"');
		const living = (watched: WatchStory) => new LivingTrigger(watched, mode, this.service, budget, apiKey, isKept);
		this.first = living(story);
		this.others = neighbors
			.map(({ before, ...watched }) => ({ before, trigger: living(watched) }))
			.sort((a, b) => b.before - a.before);
		for (const { books } of this.all)
			for (const id of this.records.ids()) books.created(id, this.records.countOf(id), 'no');
	}

	private get all(): LivingTrigger[] {
		return [this.first, ...this.others.map(({ trigger }) => trigger)];
	}

	async live(): Promise<string[]> {
		for (const trigger of this.all) await trigger.publish();
		for (const step of this.story.steps) await this.step(step);
		await this.rest();
		inAll.reported += this.first.told;
		inAll.requests += this.service.asked;
		return this.all.flatMap((trigger) => trigger.complaints());
	}

	private create(count: number): void {
		const id = this.records.create(count);
		for (const trigger of this.all) trigger.books.created(id, count, trigger.dueOf(id));
	}

	private happen(deed: Deed): void {
		if (deed.do === 'create') {
			for (let n = 0; n < deed.times; n++) this.create(deed.count);
			return;
		}
		const ids = this.records.ids(deed.do === 'restore');
		if (ids.length === 0) return;
		const id = ids[deed.pick % ids.length];
		if (deed.do === 'remove') {
			if (this.story.isSlow) return;
			this.records.remove(id);
			for (const { books } of this.all) books.gone(id);
		} else if (deed.do === 'hide' || deed.do === 'restore') {
			if (!this.story.isSlow && this.all.every(({ books }) => books.mayVanish(id)))
				this.records.change(id, { isHidden: deed.do === 'hide' });
		} else if (deed.do === 'fall') {
			this.records.change(id, { count: 0 });
			for (const { books } of this.all) books.fallen(id);
		} else if (deed.do === 'click') {
			this.records.change(id, { count: this.records.countOf(id) + deed.by });
			for (const trigger of this.all) trigger.books.clicked(id, deed.by, trigger.dueOf(id));
		}
	}

	private async step(step: Step): Promise<void> {
		const { first } = this;
		this.records.tick();
		if (step.do === 'happen') step.deeds.forEach((deed) => this.happen(deed));
		if (step.do === 'poll') await this.poll(step);
		if (step.do === 'restart') await this.restart();
		if (step.do === 'key') for (const trigger of this.all) trigger.renewKey();
		if (step.do === 'publish') await first.publish(step.change, this.oddOf(step.odd, step.change !== 'nothing'));
		if (step.do === 'off') {
			first.turnOff();
			step.deeds.forEach((deed) => this.happen(deed));
			if (step.isRestarted) await this.restart();
			await first.publish(step.change, this.oddOf(step.odd, step.change !== 'nothing'));
		}
		this.records.tick();
		first.take();
		await pass(MINUTE);
	}

	/** The others poll, each at its own second before the first one. */
	private async pollOthers(): Promise<number> {
		let [left, told] = [MINUTE, 0];
		for (const { before, trigger } of this.others) {
			await pass(left - before);
			left = before;
			await this.watch(trigger, async () => await trigger.poll());
			told += trigger.take();
		}
		await pass(this.others.length > 0 ? left : 0);
		return told;
	}

	/** Does something with one of the others, and notes whether its first reading is over. */
	private async watch(trigger: LivingTrigger, work: () => Promise<void>): Promise<void> {
		const { hasShownEnd } = this.service;
		this.service.hasShownEnd = false;
		await work();
		trigger.settle();
		this.service.hasShownEnd = hasShownEnd;
	}

	private async poll({ odd, between, at, then, isRefused, isTwice, main }: PollStep): Promise<void> {
		const { first } = this;
		await this.pollOthers();
		const left = [...between];
		let isKilled = false;
		let publishing: Promise<void> = Promise.resolve();
		const before = (request: number) => {
			const deed = request > 0 ? left.shift() : undefined;
			if (deed !== undefined && this.mayHappenBetween(deed)) this.happen(deed);
			if (request !== at || isKilled) return;
			isKilled = then === 'kill';
			if (isKilled) throw new Error('The process is gone');
			if (then === 'publish' && /old|plain/.test(this.story.mode))
				publishing = first.n8n.publish().catch(() => undefined);
		};
		this.service.begin({ ...this.oddOf(odd), before });
		await first.poll({ isRefused, main });
		await passing(publishing);
		this.service.begin();
		if (isKilled) return await this.restart();
		// A key that was refused a moment ago is not tried again.
		if (isTwice === true) await first.poll({ isHandedBefore: true, main });
		if (isRefused !== true) first.settle();
	}

	/** Without a total, nobody can tell the first page from a later one whose records have moved. */
	private oddOf(odd?: OddAnswer, mayBegin = false): Turn {
		const isHidden = odd?.odd === 'firstPage' && !this.story.totals;
		// A count that falls in several answers is believed, and so is the first one.
		const isBelieved = odd?.odd === 'fallen' && (mayBegin || this.hadFallen || this.first.phase !== 'on');
		this.hadFallen = odd?.odd === 'fallen';
		return { oddAt: odd?.at, odd: isHidden || isBelieved ? 'emptied' : odd?.odd };
	}

	/** Without a total, nobody can tell what has moved up between two pages. */
	private mayHappenBetween({ do: what }: Deed): boolean {
		return what === 'click' || what === 'fall' || this.story.totals;
	}

	private async restart(): Promise<void> {
		this.service.begin();
		await this.first.restart();
		for (const { trigger } of this.others) await this.watch(trigger, async () => await trigger.restart());
	}

	/** Nothing happens any more, until nothing more is reported for as long as it takes to read the list a few times. */
	private async rest(): Promise<void> {
		for (const id of this.records.ids(true)) this.records.change(id, { isHidden: false });
		const { page, latency, ties } = this.story;
		const budget = Math.min(this.story.budget, LONGEST_POLL);
		// A list whose pages leave records out is read up to six times, in smaller and smaller pages.
		const readings = ties === 'drawn' ? 10 : 1;
		// Where a page had no answer, small ones are asked for.
		const pages = Math.ceil(this.records.ids().length / Math.min(page, SMALLEST_PAGE)) + 1;
		const enough = 5 * (1 + Math.ceil((readings * pages * latency) / budget));
		this.service.begin();
		for (let quiet = 0; quiet < enough; quiet++) {
			let told = await this.pollOthers();
			await this.first.poll();
			told += this.first.take();
			await pass(MINUTE);
			if (told > 0) quiet = 0;
		}
	}
}

/** What was reported, and asked for, in all lives together. */
export const inAll = { reported: 0, requests: 0 };

/** Plays a life. @returns what is wrong with what was reported */
export async function complaintsOf(story: LifeStory): Promise<string[]> {
	return await new Life(story).live();
}
