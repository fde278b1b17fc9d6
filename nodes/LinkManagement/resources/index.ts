import type { ResourceDefinition } from '../fields/operation';
import { account } from './account';
import { campaign } from './campaign';
import { createCampaign, searchCampaigns } from './campaign/search';
import { channel } from './channel';
import { createChannel, searchChannels } from './channel/search';
import { domain } from './domain';
import { createDomainUrl, searchDomains, searchDomainUrls } from './domain/search';
import { link } from './link';
import { searchLinks, searchRedirectionTypes } from './link/search';
import { targetLists } from './link/targets';
import { overlay } from './overlay';
import { pixel } from './pixel';
import { loadPixels, searchPixels } from './pixel/search';
import { qrCode } from './qrCode';
import { searchQrCodes } from './qrCode/search';
import { splashPage } from './splashPage';

/** Every resource of the service, in the order in which the editor lists them: what is used most comes first. */
export const resources: ResourceDefinition[] = [
	link,
	qrCode,
	campaign,
	channel,
	domain,
	pixel,
	overlay,
	splashPage,
	account,
];

/** The list-search methods of the searchable dropdowns. */
export const listSearches = {
	searchCampaigns,
	searchChannels,
	searchDomains,
	searchDomainUrls,
	searchLinks,
	searchPixels,
	searchQrCodes,
	searchRedirectionTypes,
};

/** The load-options methods of the fields that take several records. */
export const optionLoaders = { loadPixels, ...targetLists };

/** What dropdowns create that do not list it yet. */
export const listCreations = { createCampaign, createChannel, createDomainUrl };
export { resourceMappings } from './link/upsert';
