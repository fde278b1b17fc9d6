/** What others do to the account between two nodes of an execution, or two rounds of a loop. */
import { CONTINUE, upsertOf } from '../engine/account';
import { by } from '../engine/host';
import type { LinkWithAddress } from '../sandbox';
import { isSameAddress } from './oracle';
import type { Turn } from './scenario';
import type { World } from './world';

export async function runExecution(
	world: World,
	{ between, by: naming, does }: Extract<Turn, { kind: 'execution' }>,
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
	const meanwhile = async () => {
		await world.account.sandbox.clearRequests();
		await world.exchange(pair);
	};
	if (between === 'nodes') {
		const sheet = pair.map(({ alias, longurl, domain }) => ({ alias, url: longurl, domain }));
		await world.account.inOneExecution([
			{ parameters: upsertOf(), rows: sheet },
			{ meanwhile },
			{ parameters, rows: [rowOf(nameOf(wanted))], node: CONTINUE },
		]);
	} else {
		// The first round looks for what is not there, and for the second link where that may stay.
		const first = does === 'delete' ? `${nameOf(wanted)}-nowhere` : nameOf(other);
		const rows = [first, `${nameOf(wanted)}-never`, nameOf(wanted)].map(rowOf);
		await world.account.loop(parameters, rows, CONTINUE, async (round) =>
			round === 1 ? await meanwhile() : undefined,
		);
	}
	const changes = await world.look();
	world.expectNamed(changes, [other.id]);
	const isThere = world.links.some(({ id }) => id === other.id);
	if (does === 'delete' && isThere) world.complain(`between ${between}: the link was not deleted`);
	const is = world.links.find(({ id }) => id === other.id);
	if (does === 'update' && is?.description !== 'In the end')
		world.complain(`between ${between}: the link was not updated`);
}
