import type { Item } from './item';

/** Items that have come so far and ask for something together. */
interface Group<R, P> {
	rows: R[];
	plan?: Promise<P>;
}

const groups = new WeakMap<object, Map<string, Group<unknown, unknown>>>();

/** The service and account that an item talks to: what is known of one account says nothing of another. */
export function accountKey({ connection }: Item): string {
	return `${connection.address}\n${connection.apiKey}`;
}

/**
 * Does something once for all items that are under way, with what each of them brings. Every item of the operation has to come
 * here, for each waits for the others.
 *
 * @param name what is done; items of one name and one account are taken together
 * @param row what this item brings
 * @param plan called once, with the rows in the order of the items
 * @throws what `plan` throws, for every item; StoppedError when the run ends before
 */
export async function together<R, P>(item: Item, name: string, row: R, plan: (rows: R[]) => Promise<P>): Promise<P> {
	const key = `${name}\n${accountKey(item)}`;
	const open = groups.get(item.attempt) ?? new Map<string, Group<unknown, unknown>>();
	groups.set(item.attempt, open);
	const group = (open.get(key) ?? { rows: [] }) as Group<R, P>;
	open.set(key, group as Group<unknown, unknown>);
	group.rows.push(row);
	await item.attempt.gathered();
	// Items that come later, with Batching, make a group of their own.
	if (open.get(key) === group) open.delete(key);
	group.plan ??= plan(group.rows);
	return await group.plan;
}
