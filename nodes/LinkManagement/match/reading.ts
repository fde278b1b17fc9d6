/** How the links that rows mean are found with the fewest requests. */

/**
 * Whether rows are looked up one by one, or the rest of the list is read.
 *
 * A look-up by short URL costs one request a row, and brings the details that an update has to send along, so that the update
 * need not read them again. The list costs a request a page, whatever the number of rows.
 *
 * @param lookUps rows that are still without an answer, and can be looked up
 * @param others rows that only the list can answer: those that are matched by their long URL
 * @param pagesLeft pages of the list that were not read yet
 */
export function cheapestReading(lookUps: number, others: number, pagesLeft: number): 'lookUps' | 'list' {
	return others === 0 && lookUps < pagesLeft ? 'lookUps' : 'list';
}

/**
 * How many pages a list has left after its first.
 *
 * @param result records in all, as the first page says; undefined where the service does not say
 * @param onPage records on the first page
 * @param perPage records that were asked for, or that the service said it grants
 */
export function pagesLeft(result: number | undefined, onPage: number, perPage: number): number {
	if (onPage === 0) return 0;
	if (result !== undefined) return Math.max(0, Math.ceil(result / onPage) - 1);
	// A full page of a list that does not say how long it is may be the first of any number.
	return onPage < perPage ? 0 : Infinity;
}
