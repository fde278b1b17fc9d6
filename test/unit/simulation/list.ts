import type { IDataObject } from 'n8n-workflow';

import { ApiError } from '../../../nodes/LinkManagement/service/answer/errors';
import { Learned } from '../../../nodes/LinkManagement/service/learned';
import type { PageRequest } from '../../../nodes/LinkManagement/service/lists/page';
import type { ListClient } from '../../../nodes/LinkManagement/service/lists/listReader';

import { randomFrom } from './time';

interface Row {
	id: number | null;
	domain?: string;
}

export function rows(count: number): Row[] {
	return Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
}

/** The words of a service that refuses a page. */
export const REFUSED = 'No results found.';

/** What a service says of a page, by the name of each figure. */
type Figures = Record<string, unknown>;

/** A page as it is. */
interface TrueFigures {
	records: Row[];
	result: number;
	page: number;
	/** The size that was granted, and that which was asked for. */
	size: number;
	asked: number;
}

const lastPage = (result: number, size: number) => Math.max(1, Math.ceil(result / size));
const followed = (page: number, last: number) => (page < last ? page + 1 : null);

/** What services hold a figure to be. */
export const STYLES = {
	result: {
		right: ({ result }: TrueFigures) => result,
		missing: () => undefined,
		text: ({ result }: TrueFigures) => String(result),
		garbled: () => 'many',
		ofThePage: ({ records }: TrueFigures) => records.length,
		zero: () => 0,
		oneTooMany: ({ result }: TrueFigures) => result + 1,
		fortyTooMany: ({ result }: TrueFigures) => result + 40,
		tooLarge: ({ result }: TrueFigures) => 3 * result + 7,
		huge: () => 1e9,
	},
	nextpage: {
		right: ({ page, result, size }: TrueFigures) => followed(page, lastPage(result, size)),
		missing: () => undefined,
		text: ({ page, result, size }: TrueFigures) => String(followed(page, lastPage(result, size))),
		ofTheSizeAsked: ({ page, result, asked }: TrueFigures) => followed(page, lastPage(result, asked)),
		null: () => null,
		same: ({ page, result, size }: TrueFigures) => Math.min(page + 1, lastPage(result, size)),
		further: ({ page }: TrueFigures) => page + 1,
	},
	maxpage: {
		right: ({ result, size }: TrueFigures) => lastPage(result, size),
		missing: () => undefined,
		text: ({ result, size }: TrueFigures) => String(lastPage(result, size)),
		ofTheSizeAsked: ({ result, asked }: TrueFigures) => lastPage(result, asked),
		zero: () => 0,
		one: () => 1,
		oneTooMany: ({ result, size }: TrueFigures) => lastPage(result, size) + 1,
		huge: () => 1e9,
	},
	perpage: {
		right: ({ size }: TrueFigures) => size,
		asked: ({ asked }: TrueFigures) => asked,
		missing: () => undefined,
	},
	currentpage: {
		right: ({ page }: TrueFigures) => page,
		missing: () => undefined,
	},
} satisfies Record<string, Record<string, (page: TrueFigures) => unknown>>;

export type Style<Figure extends keyof typeof STYLES> = keyof (typeof STYLES)[Figure];

/** How a service makes its pages. */
export interface Manner {
	/** Grants no more. */
	most: number;
	/** Grants no less. */
	least: number;
	/** Larger pages fail. */
	failsAbove: number;
	/** Refuses to be asked for more, with this status. */
	refusesAbove: { size: number; status: number };
	/** Milliseconds for each record. */
	cost: number;
	/** So many records have one date, and stand in another order on each page. */
	ties: number;
	result: Style<'result'>;
	nextpage: Style<'nextpage'>;
	maxpage: Style<'maxpage'>;
	perpage: Style<'perpage'>;
	currentpage: Style<'currentpage'>;
	/** What it answers beyond the last page. */
	beyond: 'empty' | 'error200' | 'error404' | 'lastPage';
	/** Whether an attempt fails, besides for its size. */
	fails(): boolean;
	/** What happens before each page but the first. */
	between(service: PagedService): void;
}

const FAILED = new ApiError('serverError', 'The service failed each time', 'Ask again.', 500, {
	kind: 'serverError',
	message: '',
});

/** A service with a list, called as a client calls it: what fails is tried again three times. */
export class PagedService {
	readonly asked: PageRequest[] = [];
	readonly learned = new Learned();
	/** The time it is at this service, for readings whose clock it is. */
	time = 0;

	constructor(
		public list: Row[],
		readonly manner: Partial<Manner> = {},
	) {}

	readonly client: ListClient = {
		connection: { learned: this.learned },
		send: async ({ query, tries: most = 4, onSend }): Promise<IDataObject> => {
			for (let tries = 1; ; tries++) {
				onSend?.();
				const body = this.answer(query as unknown as PageRequest);
				if (body !== undefined) return await Promise.resolve(body as IDataObject);
				if (tries === most) throw FAILED;
			}
		},
	};

	get sizes(): number[] {
		return this.asked.map(({ limit }) => limit);
	}

	/** The records that this size of page has. */
	granted(asked: number): number {
		const { most = Infinity, least = 1 } = this.manner;
		return Math.max(least, Math.min(asked, most));
	}

	/** The list, with ties in the order of this page. */
	private ordered(page: number, size: number): Row[] {
		const { ties = 1 } = this.manner;
		return ties === 1 ? this.list : shuffledTies(this.list, ties, page * 10_007 + size);
	}

	/** @returns undefined where no answer came */
	private answer({ page, limit }: PageRequest): object | undefined {
		const { manner } = this;
		const { failsAbove = Infinity, refusesAbove, cost = 0, beyond = 'empty' } = manner;
		if (this.asked.length > 0) manner.between?.(this);
		this.asked.push({ page, limit });
		if (this.asked.length > 5000) throw new Error('Asked too often');
		const size = this.granted(limit);
		this.time += cost * size;
		if (size > failsAbove || manner.fails?.()) return undefined;
		if (refusesAbove !== undefined && limit > refusesAbove.size) throw refusal(refusesAbove.status);
		const result = this.list.length;
		const isBeyond = page > lastPage(result, size);
		if (isBeyond && (beyond === 'error200' || beyond === 'error404')) throw refusal(beyond === 'error200' ? 200 : 404);
		const shown = isBeyond && beyond === 'lastPage' ? lastPage(result, size) : page;
		const records = this.ordered(shown, size).slice((shown - 1) * size, shown * size);
		const truth = { records, result, page, size, asked: limit };
		const figures: Figures = {};
		for (const [name, styles] of Object.entries(STYLES)) {
			const style = manner[name as keyof typeof STYLES] ?? 'right';
			const value = (styles as Record<string, (page: TrueFigures) => unknown>)[style](truth);
			if (value !== undefined) figures[name] = value;
		}
		return { data: { ...figures, urls: records } };
	}
}

function refusal(status: number): ApiError {
	return new ApiError('refused', REFUSED, 'Correct it.', status);
}

/** A list in which so many records in a row stand in a drawn order. They are counted from the list's end, where nothing is added. */
function shuffledTies<T>(list: readonly T[], ties: number, seed: number): T[] {
	const random = randomFrom(seed);
	const all = [...list];
	for (let end = all.length; end > 0; end -= ties) {
		for (let at = end - 1; at > Math.max(0, end - ties); at--) {
			const other = at - Math.floor(random() * (at - Math.max(0, end - ties) + 1));
			[all[at], all[other]] = [all[other], all[at]];
		}
	}
	return all;
}
