import { pageAt } from '../api/paging';
import type { Listing } from './changes';

/** A place in a listing: the page to read next, and what the pages before said. */
export interface Cursor {
	readonly page: number;
	/** Page size that the listing granted. */
	readonly size?: number;
	/** How many records the listing had. */
	readonly total?: number;
}

export const FIRST_PAGE: Cursor = { page: 1 };

/** How often one poll goes back because records before the reader vanished. */
export const MOST_STEPS_BACK = 5;

/** How a page is asked for: the first one decides about the size, the others keep to it. */
export function wantedAt({ page, size }: Cursor): { page: number; size?: number } {
	return page === 1 || size === undefined ? { page } : { page, size };
}

/** The same place, with what its page said. */
export function withFigures(cursor: Cursor, { total, size }: Listing): Cursor {
	return { page: cursor.page, size, total: total ?? cursor.total };
}

export function nextPage(cursor: Cursor): Cursor {
	return { ...cursor, page: cursor.page + 1 };
}

/** How many records stand before a page. */
export function positionOf(page: number, { size = 0 }: Cursor): number {
	return (page - 1) * size;
}

/** The same listing at the page that holds the record at this position. */
export function at(position: number, cursor: Cursor): Cursor {
	return { ...cursor, page: pageAt(position, cursor.size ?? 1) };
}

/** The place from which to read again when so many records before it vanished: the others may have slid up past the reader. */
export function stepBack(cursor: Cursor, by: number): Cursor {
	return at(positionOf(cursor.page, cursor) - by, cursor);
}
