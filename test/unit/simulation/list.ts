import type { PageOf, PageRequest } from '../../../nodes/LinkManagement/api/paging';

export interface Row {
	id: number | null;
}

export function rows(count: number): Row[] {
	return Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
}

/** How a service makes its pages. */
export interface Manner {
	/** Grants no more. */
	most: number;
	/** Grants no less. */
	least: number;
	/** Larger pages fail. */
	failsAbove: number;
	/** Milliseconds for each record. */
	cost: number;
	/** Milliseconds for each page. */
	latency: number;
	/** Milliseconds after which a gateway answers in the service's place. */
	gateway: number;
	/** What it says otherwise than it is. */
	figures(page: Required<PageOf<Row>>, asked: number): Partial<PageOf<Row>>;
	/** What happens before each page but the first. */
	between(service: PagedService): void;
}

/** A service with a list. */
export class PagedService {
	readonly asked: PageRequest[] = [];

	constructor(
		public list: Row[],
		private readonly manner: Partial<Manner> = {},
	) {}

	/** @returns the page and its time, or undefined where none came */
	answer({ page, limit = 15 }: PageRequest): { page: PageOf<Row>; milliseconds: number } | undefined {
		const { most = Infinity, least = 1, failsAbove = Infinity, figures, between } = this.manner;
		const { cost = 0.1, latency = 1, gateway = Infinity } = this.manner;
		if (this.asked.length > 0) between?.(this);
		this.asked.push({ page, limit });
		const perpage = Math.max(least, Math.min(limit, most));
		const records = this.list.slice((page - 1) * perpage, page * perpage);
		const milliseconds = latency + cost * records.length;
		if (milliseconds > gateway || perpage > failsAbove) return undefined;
		const result = this.list.length;
		const full = { records, result, perpage, maxpage: Math.max(1, Math.ceil(result / perpage)) };
		return { page: { ...full, ...figures?.(full, limit) }, milliseconds };
	}
}
