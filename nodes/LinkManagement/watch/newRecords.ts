import { idOf } from '../service/records';
import { reportsExisting, type Change, type ServiceRecord } from './changes';
import { askPage, type Found, type Listing, type Poll, type WatchSettings } from './poll';
import type { Place, SeenState } from './state';

/** So many of the highest IDs are known: what has a lower one was there before, or has returned. */
const MOST_KNOWN = 200;
/** So many IDs in falling order are no chance. */
const ENOUGH_FALLING = 10;

/**
 * Watches for new records: new is what has an ID that was not seen, above the lowest of the highest IDs that were ever seen. So
 * what vanishes for a while and returns is not new.
 *
 * A listing that shows its newest records first is read down to a page that holds nothing new, and on while its total has grown by
 * more than was found. Any other is read whole. What doesn't fit in one poll goes on in the next.
 *
 * @param last the state that the last poll left; undefined starts a baseline
 */
export function* newRecords(settings: WatchSettings, last?: SeenState): Poll {
	const isBaseline = !reportsExisting(settings.question);
	const pass = new Pass(settings, last ?? { isBaseline, ids: [], tail: 0 });
	while (!pass.isThrough) {
		const listing = yield* askPage(pass.place);
		if (listing === undefined) return pass.unfinished();
		pass.meetPage(listing);
	}
	return pass.finished();
}

/** A reading from the newest record down, or of the whole list, as far as it has come. */
class Pass {
	place?: Place;
	isThrough = false;
	private readonly changes: Change[] = [];
	private readonly known: ReadonlySet<number>;
	/** The IDs that this reading has found, in earlier polls too. */
	private readonly met: Set<number>;
	/** The next page is the listing's first. */
	private isTop: boolean;
	/** The listing has its newest records first. */
	private isFalling: boolean;
	private hasRead = false;
	private total?: number;
	/** New records that the total speaks of, and that were not met. */
	private missing: number;

	constructor(
		private readonly settings: WatchSettings,
		private readonly last: SeenState,
	) {
		this.place = last.place;
		this.isTop = last.place === undefined;
		this.isFalling = last.isFalling ?? false;
		this.known = new Set(last.ids);
		this.met = new Set(last.met);
		this.total = last.total;
		this.missing = last.missing ?? 0;
	}

	meetPage({ records, place, total }: Listing): void {
		const { last } = this;
		if (this.isTop && records.length > 0) {
			this.isFalling = this.settings.order === 'newest' && this.hasNewestFirst(records);
			const before = last.total ?? (this.known.size === 0 ? 0 : total);
			this.missing = Math.max(0, (total ?? 0) - (before ?? 0));
			this.total = total;
			this.isTop = false;
		}
		this.hasRead ||= records.length > 0;
		let hasOld = false;
		let hasNew = false;
		for (const record of records) {
			const id = idOf(record);
			if (id === undefined || this.met.has(id)) continue;
			if (id <= last.tail || this.known.has(id)) hasOld = true;
			else {
				hasNew = true;
				this.met.add(id);
				this.missing--;
				if (!last.isBaseline) this.changes.push({ record });
			}
		}
		this.place = place;
		const isDown = last.isBaseline || (hasOld && !hasNew && this.missing <= 0);
		this.isThrough = place === undefined || (this.isFalling && isDown);
	}

	finished(): Found {
		const { last, total, missing, isShort } = this;
		if (isShort && (last.isBaseline || !this.hasRead)) return this.found({ ...last, isShort });
		const ids = this.highestIds();
		// Below what was read, a baseline that ends early leaves records that were there before.
		const isFull = ids.length === MOST_KNOWN || (last.isBaseline && this.place !== undefined);
		const tail = isFull ? Math.max(last.tail, ids[ids.length - 1]) : last.tail;
		const known = total !== undefined && isShort ? total - missing : total;
		return this.found({ isBaseline: false, isShort, ids, tail, total: known });
	}

	/** What is known must stay as it was, or the rest of the new would pass for known. */
	unfinished(): Found {
		const { last, place, isFalling, total, missing, met } = this;
		const { isBaseline, tail } = last;
		const read = isBaseline ? { ids: this.highestIds() } : { ids: last.ids, met: [...met] };
		return this.found({ isBaseline, tail, total, place, isFalling, missing, ...read });
	}

	/** The list ends before all is there that the total speaks of, or is empty. Once, that is taken for an odd answer. */
	private get isShort(): boolean {
		const { last, place, missing, hasRead } = this;
		const isEmpty = !hasRead && (last.isBaseline || last.place !== undefined);
		return !last.isShort && place === undefined && (missing > 0 || isEmpty);
	}

	private found(fields: SeenState): Found {
		const changes = this.changes.sort((a, b) => (idOf(a.record) ?? 0) - (idOf(b.record) ?? 0));
		return { changes, fields };
	}

	private highestIds(): number[] {
		return [...this.known, ...this.met].sort((a, b) => b - a).slice(0, MOST_KNOWN);
	}

	/**
	 * Whether a first page shows that its listing has the newest records first: IDs that fall; or, since records of one second come
	 * in any order, the highest and none but those that are among the highest.
	 */
	private hasNewestFirst(records: ServiceRecord[]): boolean {
		const ids = records.flatMap((record) => idOf(record) ?? []);
		const isFalling = ids.every((id, at) => at === 0 || id < ids[at - 1]);
		if (isFalling && ids.length >= ENOUGH_FALLING) return true;
		const { ids: known, tail } = this.last;
		return known.length === MOST_KNOWN && ids.some((id) => id >= known[0]) && ids.every((id) => id > tail);
	}
}
