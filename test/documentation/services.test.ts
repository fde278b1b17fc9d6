/** The page about services tells of each thing in which the sandbox lets services differ. */
import { DEVIATIONS } from '../sandbox/dialect';
import { page, tableOf } from './markdown';

test('each difference of the sandbox stands on the page about services, once, and no other', () => {
	const rows = tableOf(page('docs/services.md'));
	const named = rows.flatMap(([, , names]) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name));
	expect(named.sort()).toEqual(Object.keys(DEVIATIONS).sort());
	expect(rows.filter((cells) => cells.length !== 3 || cells.includes(''))).toEqual([]);
});
