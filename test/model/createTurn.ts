/** Each row of a sheet is created. */
import { isFailed } from '../failed';
import { CONTINUE } from '../engine/account';
import type { LinkWithAddress } from '../sandbox';
import { isSameAddress } from './oracle';
import { THEIRS, type Turn } from './scenario';
import { expectTrue } from './sheetTurn';
import { itemOf } from './typed';
import type { World } from './world';

export async function runCreate(
	world: World,
	{ rows, way, ifAliasExists }: Extract<Turn, { kind: 'create' }>,
): Promise<void> {
	const linkFields = { custom: '={{ $json.alias }}', domain: '={{ $json.domain }}', metatitle: '={{ $json.title }}' };
	const options = { ifAliasExists };
	const parameters = { resource: 'link', operation: 'create', url: '={{ $json.long_url }}', linkFields, options };
	const before = world.links;
	const plain = rows.map(({ alias, domain, url, title, hand }) => {
		return { alias, domain, url, title, hand: { around: hand?.around ?? '', title: 0, date: 0 } };
	});
	const items = plain.map((row, at) => itemOf(row, world.own, at));
	world.beforeRun();
	const done = await world.account.work(parameters, items, way, CONTINUE);
	const changes = await world.look();
	world.expectNamed(changes, []);
	const made = world.links.filter(({ id, title }) => title !== 'Theirs' && !before.some((link) => link.id === id));
	if (made.length > rows.length) world.complain(`${made.length} links were made of ${rows.length} rows`);
	expectTrue(world, rows, done, before);
	if (!world.isCalm || !world.takesEverything || world.behaviour.aliasLowered) return;
	const known: Array<Pick<LinkWithAddress, 'alias' | 'domain' | 'longurl'>> = [...before];
	rows.forEach((row, at) => {
		const { alias, domain = '', url = '' } = row;
		const json = done.items[at]?.json ?? {};
		const holder = known.find((link) => link.alias === alias && link.domain === domain);
		// An alias that stands on several domains needs the domain.
		const namesakes = known.filter((link) => link.alias === alias && (row.domain === undefined || link === holder));
		const isMade = !isFailed(json) && json.existing !== true;
		if (isMade) known.push({ alias: ifAliasExists === 'another' && holder ? '' : (alias ?? ''), domain, longurl: url });
		if (isMade && holder !== undefined && ifAliasExists !== 'another')
			world.complain(`row ${at} was made, though its alias is taken`);
		if (ifAliasExists === 'another' && !isMade) world.complain(`row ${at} was not made: ${JSON.stringify(json)}`);
		const meant = namesakes.filter((link) => isSameAddress(link.longurl, url));
		// An alias that another row has made on a domain needs the domain, too.
		const isPlanned = rows.some((other) => other.alias === alias && other.domain !== domain && other.domain);
		const isOnly = meant.length === 1 && namesakes.length === 1 && !isPlanned;
		const returnsIt = ifAliasExists === 'returnExisting' && holder !== undefined && isOnly;
		if (returnsIt && json.existing !== true) world.complain(`row ${at} did not give the link that has its alias`);
		const isTheirs = world.behaviour.aliasOfOthers && alias === THEIRS;
		// Rows that ask for one alias to be returned or made are one link.
		const isOne = (other: typeof row) =>
			other.alias === alias && (!other.domain || !row.domain || other.domain === row.domain);
		const isContrary = rows.some((other) => isOne(other) && !isSameAddress(other.url ?? '', url));
		if (ifAliasExists === 'returnExisting' && alias !== undefined && isContrary) return;
		if (holder === undefined && isFailed(json) && namesakes.length === 0 && !isTheirs)
			world.complain(`row ${at} failed: ${String(json.error)}`);
	});
}
