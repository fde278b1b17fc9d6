import type { ResourceDefinition } from '../fields/operation';
import { loadPixels } from '../methods/lists';
import { account } from './account';
import { campaign } from './campaign';
import { channel } from './channel';
import { domain } from './domain';
import { link } from './link';
import { targetLists } from './link/targets';
import { overlay } from './overlay';
import { pixel } from './pixel';
import { qrCode } from './qrCode';
import { splashPage } from './splashPage';

/** All resources, in the editor's order: the most used ones come first. */
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

export const optionLoaders = { loadPixels, ...targetLists };

export { resourceMappings } from './link/upsert';
