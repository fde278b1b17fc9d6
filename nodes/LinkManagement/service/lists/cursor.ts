import type { PageRequest } from './page';

/** The sizes of pages: at a quick service with a long list, at first, and where larger ones fail (field notes, "Envelope and types"). */
export const SIZES = { largest: 1000, first: 100, smallest: 15 };

/** Which page of a list is next. */
export interface Cursor {
	readonly page: number;
	/** The size that is asked for at the top. */
	readonly size: number;
	/** How many records the first page really had; undefined at the top. */
	readonly perPage?: number;
}

export function requestAt({ page, size, perPage = size }: Cursor): PageRequest {
	return { page, limit: perPage };
}

/** The cursor behind a page. @param count its records */
export function behind({ page, size, perPage }: Cursor, count: number): Cursor {
	return { page: page + 1, size, perPage: page === 1 ? Math.max(1, count) : perPage };
}

/** Most pages that are left; undefined where no page has told. */
export function pagesLeft({ page, perPage }: Cursor, total?: number): number | undefined {
	if (total === undefined || perPage === undefined) return undefined;
	return Math.max(0, Math.ceil(total / perPage) - page + 1);
}

/** Another size, in whose pages other records stand together. @param largest that may be asked for */
export function otherSize({ size, perPage = size }: Cursor, largest: number): number {
	return size < SIZES.largest && largest >= SIZES.largest
		? SIZES.largest
		: Math.max(1, Math.floor(Math.min(size, perPage) * 0.9));
}
