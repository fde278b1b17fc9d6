import type { Behavior } from '../dialect';
import { deleting, done, found, optionalText, ServiceError, text, type Operating, type Operations } from '../operation';
import type { StoredCampaign } from '../records';
import { USERNAME } from './account';

/** The name of a campaign or channel as the service keeps it. */
export function keptName(name: string, { capitalNames }: Behavior): string {
	return capitalNames ? name.charAt(0).toUpperCase() + name.slice(1) : name;
}

/** @throws ServiceError for a name of a campaign or channel that is too short */
export function refuseShortName(name: string, { shortestName }: Behavior): void {
	if (name.length >= shortestName) return;
	throw new ServiceError(`The name must have at least ${shortestName} characters.`, 'value');
}

export function campaignOperations({ store, base, behavior, pages }: Operating): Operations {
	const refuseTakenSlug = (slug: string, ownId?: number): void => {
		const taken = store.campaigns.find((campaign) => campaign.slug === slug && campaign.id !== ownId);
		if (taken) throw new ServiceError('This slug is currently not available. Please choose another one.');
	};

	/** The name as the service keeps it. @throws ServiceError when it does not take it */
	const nameFor = (asked: string, ownId?: number): string => {
		const name = keptName(asked, behavior);
		refuseShortName(name, behavior);
		if (!behavior.uniqueNames) return name;
		if (name === '') throw new ServiceError('Please enter a name.', 'value');
		if (store.campaigns.find((campaign) => campaign.name === name && campaign.id !== ownId)) {
			throw new ServiceError('You already have a campaign with that name.', 'duplicate');
		}
		return name;
	};

	const recordOf = (campaign: StoredCampaign, nameIn: string): Record<string, unknown> => ({
		id: campaign.id,
		[nameIn]: campaign.name,
		public: campaign.public,
		rotator: campaign.slug === null ? false : `${base}/r/${campaign.slug}`,
		list: `${base}/u/${USERNAME}/list-${campaign.id}`,
	});

	const listed = (campaign: StoredCampaign): Record<string, unknown> => ({
		...recordOf(campaign, campaign.listedUnderDomain ? 'domain' : 'name'),
		...(behavior.moreFields ? { views: 0, slug: campaign.slug, date: campaign.date } : {}),
	});

	return {
		campaignGetAll: (call) => pages.list('campaigns', store.campaigns, 'id', call, listed),
		campaignCreate: ({ body }) => {
			const name = nameFor(optionalText(body.name) ?? '');
			const slug = optionalText(body.slug) ?? null;
			if (slug !== null) refuseTakenSlug(slug);
			const campaign = store.create('campaigns', { name, slug, public: body.public === true }, 'api');
			return { error: 0, ...recordOf(campaign, behavior.campaignNameIn) };
		},
		campaignAssignLink: ({ params }) => {
			const campaign = found(store, 'campaigns', params.campaignid);
			found(store, 'links', params.linkid).campaign = campaign.id;
			return done('Link successfully added to the campaign.');
		},
		campaignUpdate: ({ params, body }) => {
			const campaign = found(store, 'campaigns', params.id);
			const name = nameFor(text(body.name), campaign.id);
			const slug = optionalText(body.slug);
			if (slug !== undefined) refuseTakenSlug(slug, campaign.id);
			campaign.name = name;
			campaign.slug = slug ?? campaign.slug;
			if (body.public !== undefined) campaign.public = body.public === true;
			return { error: 0, ...recordOf(campaign, behavior.campaignNameIn) };
		},
		campaignDelete: (call) => {
			const answer = deleting(store, 'campaigns')(call);
			for (const link of store.links.all()) if (link.campaign === Number(call.params.id)) link.campaign = null;
			return answer;
		},
	};
}
