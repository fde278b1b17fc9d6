/** An operation on links that are named one by one. */
import type { IDataObject } from 'n8n-workflow';

import { isFailed } from '../failed';
import { CONTINUE } from '../engine/account';
import { by } from '../engine/host';
import type { LinkWithAddress } from '../sandbox';
import { linksNamed } from './oracle';
import type { LinkOperation, Naming, Turn } from './scenario';
import type { World } from './world';

/** What people enter to name the links. */
function entered(world: World, naming: Naming): string[] {
	switch (naming.by) {
		case 'id':
			return naming.places.map((place) => String(world.links[place]?.id ?? 987654));
		case 'longUrl':
			return naming.urls;
		default:
			return naming.pasted.map(({ domain, path, scheme }) => {
				if (domain === undefined) return path;
				const [, host] = (domain || world.own).split('//');
				return `${scheme}${host}/${path}`;
			});
	}
}

export async function runOnLinks(
	world: World,
	{ kind, named: naming, way }: Extract<Turn, { kind: LinkOperation }>,
	before: LinkWithAddress[],
): Promise<void> {
	// Each row of an update says one thing: rows of one link add up, or contradict each other.
	const rows = entered(world, naming).map((link, at) => ({
		link,
		[at % 2 === 0 ? 'description' : 'title']: `Row ${at}`,
	}));
	const meant = rows.map(({ link }) => linksNamed(naming.by, link, before));
	const { items, error } = await world.account.work(parametersOf(kind, naming.by), rows, way, CONTINUE);
	const changes = await world.look();
	world.expectNamed(
		changes,
		rows.flatMap(({ link }) => linksNamed(naming.by, link, world.seen)).map(({ id }) => id),
	);
	world.expectKept(changes, before, kind === 'update' ? [{ title: '', description: '' }] : []);
	if (error !== undefined || items.length !== rows.length) {
		world.complain(`${kind}: ${rows.length} rows came out as ${error?.message ?? items.length}`);
		return;
	}
	// A round of a loop has one row of each kind.
	const isContrary = (link: LinkWithAddress, at: number) => {
		const alike = rows.filter((_row, other) => other % 2 === at % 2 && meant[other].includes(link));
		return kind === 'update' && way !== 'in a loop' && alike.length > 1;
	};
	items.forEach(({ json }, at) => {
		const what = `${kind} by ${naming.by}: ${rows[at].link}`;
		const link = meant[at].length === 1 ? meant[at][0] : undefined;
		if (json.deleted === true && world.links.some(({ id }) => id === link?.id)) {
			world.complain(`${what} came out as deleted, and is there`);
		}
		// What an earlier row has deleted is not there any more.
		const isDeleted = meant.slice(0, at).some((others) => others.some((one) => meant[at].includes(one)));
		if (!world.isCalm || (kind === 'delete' && isDeleted)) return;
		const id = kind === 'assignLink' ? json.linkId : json.id;
		if (!isFailed(json) && (link === undefined || Number(id) !== link.id)) {
			world.complain(`${what} gave ${String(id)}, and not ${link?.id ?? 'an error'}`);
		}
		const losesStates = kind === 'update' && link !== undefined && 'united states' in link.location;
		const isRefused = link !== undefined && (isContrary(link, at) || isContrary(link, at + 1));
		if (isFailed(json) && link !== undefined && !losesStates && !isRefused) {
			world.complain(`${what} was not found: ${String(json.error)}`);
		}
		const is = world.links.find(({ id: one }) => one === link?.id);
		for (const name of ['description', 'title'] as const) {
			const isLast = !rows.slice(at + 1).some((row, more) => name in row && meant[at + 1 + more].includes(link!));
			if (kind !== 'update' || isFailed(json) || !(name in rows[at]) || !isLast) continue;
			if (is?.[name] !== rows[at][name]) world.complain(`${what} has not its ${name}, but ${String(is?.[name])}`);
		}
	});
}

function parametersOf(kind: LinkOperation, naming: Naming['by']): IDataObject {
	const linkId = by(naming, '={{ $json.link }}');
	if (kind === 'assignLink')
		return { resource: 'campaign', operation: 'assignLink', campaignId: by('id', '3'), linkId };
	const operation = kind === 'totals' ? 'get' : kind;
	return {
		resource: 'link',
		operation,
		linkId,
		...(kind === 'totals' ? { options: { details: 'totals' } } : {}),
		...(kind === 'update'
			? { linkFields: { description: '={{ $json.description }}', metatitle: '={{ $json.title }}' } }
			: {}),
	};
}
