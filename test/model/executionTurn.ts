/** Several nodes of one execution, each of which has to know what the others did. */
import { CONTINUE, upsertOf } from '../engine/account';
import { by } from '../engine/host';
import { isSameAddress } from './oracle';
import { ALIASES, URLS, type Turn } from './scenario';
import type { World } from './world';

export async function runExecution(
	world: World,
	{ rows, which, does }: Extract<Turn, { kind: 'execution' }>,
): Promise<void> {
	if (!world.isCalm || !world.takesEverything) return;
	// Aliases on two domains, and targets that an update would lose, are matters of other turns.
	const unclear = world.links.filter(
		({ domain, location, alias }) => domain !== '' || 'united states' in location || !ALIASES.includes(alias),
	);
	await world.account.sandbox.deleteRecords({
		links: unclear.filter(({ domain, location }) => domain !== '' || 'united states' in location).map(({ id }) => id),
	});
	const { alias, url } = rows[which % rows.length];
	const { own } = world;
	const linkId = by('shortUrl', `${own}/${alias}`);
	const change = { resource: 'link', operation: 'update', linkId };
	const elsewhere = URLS.find((one) => one !== url)!;
	const newAlias = `renamed-${world.links.length}-${world.seen.length}`;
	const linkFields = does === 'changed' ? { url: elsewhere } : { custom: newAlias };
	const works = await world.account.inOneExecution([
		{ parameters: upsertOf(), rows },
		{ parameters: { ...change, linkFields } },
		...(does === 'renamed' ? [{ parameters: { resource: 'link', operation: 'delete', linkId }, node: CONTINUE }] : []),
		{ parameters: upsertOf(), rows },
	]);
	await world.look();
	const failed = works.find(({ error }) => error !== undefined)?.error;
	if (failed !== undefined) world.complain(`in one execution: ${failed.message}`);
	const links = await world.account.links();
	for (const row of rows) {
		const link = world.links.find(({ alias: one, domain }) => one === row.alias && domain === '');
		if (link === undefined || !isSameAddress(link.longurl, row.url!)) {
			world.complain(`in one execution: a row is not as it says after a link was ${does}`);
		}
	}
	if (does === 'renamed' && links[newAlias] === undefined)
		world.complain('in one execution: the renamed link was deleted');
}
