import type { IDataObject } from 'n8n-workflow';

import { SimulatedService } from '../unit/watchSimulation';
import { Books, type Due } from './books';
import type { Change, Deed, LifeStory, OddAnswer, Step } from './history';
import { PlayedN8n, type TriggerNode } from './n8n';
import { LifeService, type Turn } from './service';
import { pass, passing } from './time';

const MINUTE = 60_000;
const MOST_TRIES = 5;

type PollStep = Extract<Step, { do: 'poll' }>;

/** The life of one trigger at one service. */
class Life {
	private readonly records: SimulatedService;
	private readonly service: LifeService;
	private readonly n8n: PlayedN8n;
	private readonly books: Books;
	private readonly selected: number[] = [];
	private node: TriggerNode;
	private includeExisting: boolean;
	private threshold: number;
	/** `starting`: the first reading of the list may not be over. */
	private phase: 'off' | 'starting' | 'on' = 'off';
	/** The first reading was not over when the activation ended, and nothing that n8n keeps says that it is. */
	private isUnsaved = false;
	private readings = 0;
	private told = 0;

	constructor(private readonly story: LifeStory) {
		const { order, ties, totals, pageTooMany, page, latency, atFirst, mode, budget } = story;
		this.records = new SimulatedService(order, page, { ties, totals });
		this.service = new LifeService(this.records, page, latency, pageTooMany);
		this.books = new Books(story);
		this.includeExisting = this.books.isOfNew && story.includeExisting;
		this.threshold = story.threshold;
		for (let n = 0; n < atFirst; n++, this.records.tick()) this.create(n % 40);
		if (!this.books.isOfNew) this.selected.push(...this.records.ids().slice(0, story.selected));
		this.node = { name: 'Trigger', parameters: this.parameters() };
		this.n8n = new PlayedN8n(mode, this.service, this.node, budget);
	}

	async live(): Promise<string[]> {
		await this.publish();
		for (const step of this.story.steps) await this.step(step);
		await this.rest();
		const ids = new Set(this.selected);
		inAll.reported += this.told;
		return this.books.complaints((id) => ids.size === 0 || ids.has(id));
	}

	private parameters(): IDataObject {
		const { event, minimumIncrease, thresholdMode } = this.story;
		const isOfNew = /Created$/.test(event);
		const watch = this.selected.length > 0 ? 'selected' : 'all';
		const counted = { watch, linkIds: this.selected, qrCodeIds: this.selected };
		const options = isOfNew ? { includeExisting: this.includeExisting } : { minimumIncrease };
		return { event, ...(isOfNew ? {} : counted), threshold: this.threshold, thresholdMode, options };
	}

	/** What happens now is due to be reported so. */
	private get due(): Due {
		if (this.includeExisting) return 'sure';
		return ({ off: 'no', starting: 'maybe', on: 'sure' } as const)[this.phase];
	}

	private create(count: number): void {
		const id = this.records.create(count);
		this.books.created(id, count, this.due);
	}

	private happen(deed: Deed): void {
		if (deed.do === 'create') {
			for (let n = 0; n < deed.times; n++) this.create(deed.count);
			return;
		}
		const ids = this.records.ids();
		if (ids.length === 0) return;
		const id = ids[deed.pick % ids.length];
		if (deed.do === 'remove') {
			if (this.story.isSlow) return;
			this.records.remove(id);
			this.books.gone(id);
		} else if (deed.do === 'fall') {
			this.records.change(id, { count: 0 });
			this.books.fallen(id);
		} else {
			this.records.change(id, { count: this.records.countOf(id) + deed.by });
			this.books.clicked(id, deed.by, this.due);
		}
	}

	private async step(step: Step): Promise<void> {
		this.records.tick();
		if (step.do === 'happen') step.deeds.forEach((deed) => this.happen(deed));
		if (step.do === 'poll') await this.poll(step);
		if (step.do === 'restart') await this.restart();
		if (step.do === 'publish') await this.publish(step.change, step.odd);
		if (step.do === 'off') {
			if (!this.includeExisting) this.books.writeOff();
			this.n8n.unpublish();
			this.phase = 'off';
			step.deeds.forEach((deed) => this.happen(deed));
			await this.publish(step.change, step.odd);
		}
		this.records.tick();
		this.take();
		await pass(MINUTE);
	}

	/** Enters what was reported. */
	private take(): void {
		const items = this.n8n.reported.slice(this.told);
		for (const item of items) this.books.report(item);
		this.told += items.length;
		if (items.length > 0) this.isUnsaved = false;
	}

	private async poll({ odd, between, at, then, isRefused, isTwice, main }: PollStep): Promise<void> {
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
				publishing = this.n8n.publish().catch(() => undefined);
		};
		this.service.begin({ ...this.oddOf(odd), before });
		await passing(this.n8n.poll({ isRefused, main }).catch(() => undefined));
		await passing(publishing);
		this.service.begin();
		if (isKilled) return await this.restart();
		// A key that was refused a moment ago is not tried again.
		if (isTwice === true) await passing(this.n8n.poll({ isHandedBefore: true, main }).catch(() => undefined));
		if (isRefused !== true) this.settle();
	}

	/** Without a total, nobody can tell the first page from a later one whose records have moved. */
	private oddOf(odd?: OddAnswer): Turn {
		const isHidden = odd?.odd === 'firstPage' && !this.story.totals;
		return { oddAt: odd?.at, odd: isHidden ? 'emptied' : odd?.odd };
	}

	/** Without a total, nobody can tell what has moved up between two pages. */
	private mayHappenBetween({ do: what }: Deed): boolean {
		return what === 'click' || what === 'fall' || this.story.totals;
	}

	/** The first reading is over when the list was read to its end, and once more. */
	private settle(): void {
		if (this.phase !== 'starting') return;
		this.readings += this.service.hasShownEnd ? 1 : 0;
		this.service.hasShownEnd = false;
		if (this.readings > 1) this.phase = 'on';
	}

	private async restart(): Promise<void> {
		this.service.begin();
		this.take();
		if (this.isUnsaved && this.story.mode !== 'durable') this.begin();
		await passing(this.n8n.restart());
	}

	/** A first reading begins: what was not reported until now need not be. */
	private begin(): void {
		if (!this.includeExisting) this.books.writeOff();
		this.phase = 'starting';
		this.readings = 0;
	}

	private async publish(change: Change = 'nothing', odd?: OddAnswer): Promise<void> {
		this.change(change);
		if (this.phase === 'off') this.begin();
		for (let tries = 0; ; tries++) {
			const warnings = this.n8n.warnings.length;
			this.service.begin(tries === 0 ? this.oddOf(odd) : {});
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
			if (this.phase === 'starting') {
				this.isUnsaved = this.n8n.warnings.slice(warnings).some((text) => text.includes('had no time to read all'));
				if (!this.isUnsaved) this.phase = 'on';
			}
			return;
		}
	}

	private change(change: Change): void {
		if (change === 'name') this.node = { ...this.node, name: `${this.node.name}'` };
		if (change === 'name' && this.isUnsaved) this.begin();
		if (change === 'threshold' && this.story.event === 'linkClickThreshold') {
			this.begin();
			this.threshold += 3;
			this.books.changeThreshold(this.threshold);
		}
		if (change === 'existing' && this.books.isOfNew) {
			if (this.includeExisting) this.books.writeOff();
			this.includeExisting = !this.includeExisting;
			if (this.includeExisting) this.books.wantExisting();
		}
		this.node = { ...this.node, parameters: this.parameters() };
	}

	/** Nothing happens any more, until nothing more is reported for as long as it takes to read the list a few times. */
	private async rest(): Promise<void> {
		const { page, latency, budget, ties } = this.story;
		// A list whose pages leave records out is read up to six times, in smaller and smaller pages.
		const readings = ties === 'drawn' ? 10 : 1;
		const pages = Math.ceil(this.records.ids().length / page) + 1;
		const enough = 5 * (1 + readings * Math.ceil((pages * latency) / budget));
		this.service.begin();
		for (let quiet = 0; quiet < enough; quiet++) {
			const before = this.told;
			await passing(this.n8n.poll());
			this.take();
			await pass(MINUTE);
			if (this.told > before) quiet = 0;
		}
	}
}

/** What was reported in all lives together. */
export const inAll = { reported: 0 };

/** Plays a life. @returns what is wrong with what was reported */
export async function complaintsOf(story: LifeStory): Promise<string[]> {
	return await new Life(story).live();
}
