/** What others do to the account between two rounds of a loop. */
import { CONTINUE } from '../engine/account';
import { by } from '../engine/host';
import type { LinkWithAddress } from '../sandbox';
import { isSameAddress } from './oracle';
import type { Turn } from './scenario';
import type { World } from './world';

export async function runExecution(
	world: World,
	{ by: naming, does }: Extract<Turn, { kind: 'execution' }>,
): Promise<void> {
	if (!world.isCalm || !world.takesEverything) return;
	const isAlone = ({ alias, longurl }: LinkWithAddress) =>
		world.links.filter((other) => other.alias === alias || isSameAddress(other.longurl, longurl)).length === 1;
	const pair = world.links.filter((link) => isAlone(link) && !('united states' in link.location)).slice(0, 2);
	if (pair.length < 2) return;
	const nameOf = ({ shorturl, alias, longurl }: LinkWithAddress) =>
		({ shortUrl: shorturl, alias, longUrl: longurl })[naming];
	const fields = does === 'update' ? { linkFields: { description: '={{ $json.description }}' } } : {};
	const parameters = { resource: 'link', operation: does, linkId: by(naming, '={{ $json.link }}'), ...fields };
	const rowOf = (link: string) => ({ link, description: 'In the end' });
	const [wanted, other] = pair;
	// The first round looks for what is not there, and for the second link where that may stay.
	const first = does === 'delete' ? `${nameOf(wanted)}-nowhere` : nameOf(other);
	const rows = [first, `${nameOf(wanted)}-never`, nameOf(wanted)].map(rowOf);
	await world.account.loop(parameters, rows, CONTINUE, async (round) => {
		if (round !== 1) return;
		await world.account.sandbox.clearRequests();
		await world.exchange(pair);
	});
	const changes = await world.look();
	world.expectNamed(changes, [other.id]);
	const isThere = world.links.some(({ id }) => id === other.id);
	if (does === 'delete' && isThere) world.complain('between rounds: the link was not deleted');
	const is = world.links.find(({ id }) => id === other.id);
	if (does === 'update' && is?.description !== 'In the end') world.complain('between rounds: the link was not updated');
}
