import type { ResourceDefinition } from '../fields/operation';
import { account } from './account';
import { campaign } from './campaign';
import { searchCampaigns } from './campaign/search';
import { channel } from './channel';
import { searchChannels } from './channel/search';
import { domain } from './domain';
import { searchDomains, searchDomainUrls } from './domain/search';
import { link } from './link';
import { searchLinks, searchRedirectionTypes } from './link/search';
import { overlay } from './overlay';
import { qrCode } from './qrCode';
import { searchQrCodes } from './qrCode/search';
import { splashPage } from './splashPage';

/** Every resource of the service, in the order in which the editor lists them. */
export const resources: ResourceDefinition[] = [account, campaign, channel, domain, link, overlay, qrCode, splashPage];

/** The list-search methods of the searchable dropdowns. */
export const listSearches = {
	searchCampaigns,
	searchChannels,
	searchDomains,
	searchDomainUrls,
	searchLinks,
	searchQrCodes,
	searchRedirectionTypes,
};
