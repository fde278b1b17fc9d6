/** Each row of a sheet is created. */
import { CONTINUE } from '../engine/account';
import type { LinkWithAddress } from '../sandbox';
import { isSameAddress } from './oracle';
import type { Turn } from './scenario';
import { expectTrue } from './sheetTurn';
import type { World } from './world';

export async function runCreate(
	world: World,
	{ rows, way, returns }: Extract<Turn, { kind: 'create' }>,
): Promise<void> {
	const options =
		returns === 'alias'
			? { ifAliasExists: 'returnExisting' }
			: returns === 'url'
				? { ifLongUrlExists: 'returnExisting' }
				: {};
	const linkFields = { custom: '={{ $json.alias }}', domain: '={{ $json.domain }}', metatitle: '={{ $json.title }}' };
	const parameters = { resource: 'link', operation: 'create', url: '={{ $json.url }}', linkFields, options };
	const before = world.links;
	const done = await world.account.work(parameters, rows, way, CONTINUE);
	const changes = await world.look();
	world.expectNamed(changes, []);
	const made = world.links.filter(({ id, title }) => title !== 'Theirs' && !before.some((link) => link.id === id));
	if (made.length > rows.length) world.complain(`${made.length} links were made of ${rows.length} rows`);
	expectTrue(world, rows, done, before);
	if (!world.isCalm || !world.takesEverything) return;
	const known: Array<Pick<LinkWithAddress, 'alias' | 'domain' | 'longurl'>> = [...before];
	rows.forEach((row, at) => {
		const { alias, domain = '', url = '' } = row;
		const json = done.items[at]?.json ?? {};
		const holder = known.find((link) => link.alias === alias && link.domain === domain);
		const others = known.filter((link) => isSameAddress(link.longurl, url));
		// An alias that stands on several domains needs the domain.
		const namesakes = known.filter((link) => link.alias === alias && (row.domain === undefined || link === holder));
		const isMade = json.error === undefined && json.existing !== true;
		if (isMade) known.push({ alias: alias ?? '', domain, longurl: url });
		if (returns === 'url' && others.length > 0) {
			const isNamed = others.some((link) => row.domain === undefined || link.domain === row.domain);
			if (isMade && isNamed) world.complain(`row ${at} was made, though its address has a link`);
			return;
		}
		const meant = namesakes.filter((link) => isSameAddress(link.longurl, url));
		const returnsIt = returns === 'alias' && holder !== undefined && meant.length === 1;
		if (returnsIt && json.existing !== true) world.complain(`row ${at} did not give the link that has its alias`);
		if (holder === undefined && json.error !== undefined) {
			if (returns === 'none' || namesakes.length === 0) world.complain(`row ${at} failed: ${String(json.error)}`);
		}
	});
}
