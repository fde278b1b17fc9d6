/**
 * What no client can do at a service, and what the error has to say then. Everything that is not named here has to work,
 * however the service answers.
 */
import type { Behavior } from '../sandbox';
import type { Service } from './services';

export type Obstacle = RegExp | undefined;

/** What a job needs of a service: the endpoints of QR codes, say, or that of their list (`qrs`). */
export type Need = 'account' | 'change' | 'create' | 'createLink' | 'chosenAlias' | 'qrCodes' | Endpoint;

export type Endpoint = 'links' | 'campaigns' | 'channels' | 'qrs' | 'domains' | 'splash' | 'overlays' | 'pixels';

const OF_HALF = new Set<string>(['channels', 'qrCodes', 'qrs', 'domains', 'splash', 'overlays', 'pixels']);

const LACKED: Record<Behavior['missing'], (need: Need) => boolean> = {
	none: () => false,
	pixels: (need) => need === 'pixels',
	linkChanges: (need) => need === 'change',
	leftOut: (need) => need === 'change' || need === 'pixels',
	lists: (need) => ['campaigns', 'channels', 'qrs', 'domains', 'splash', 'overlays', 'pixels'].includes(need),
	half: (need) => need === 'change' || OF_HALF.has(need),
};

/** The words of the error in which a job has to end that needs all this; nothing where it has to work. */
export function obstacleOf(behavior: Behavior, { header }: Pick<Service, 'header'>, needs: readonly Need[]): Obstacle {
	// Nobody is let in: by the service's own words, or by the page in front.
	if (behavior.front !== 'nothing' && !header) return /in front of the service/;
	if (behavior.authorizationDropped) return /API key/i;
	if (behavior.access === 'plan') return /does not include the API/;
	if (behavior.access === 'suspended') return /suspended/;
	if (behavior.access === 'account' && needs.includes('account')) return /may not read the account/;
	if (needs.some((need) => LACKED[behavior.missing](need))) return /does not offer|The requested route/;
	const creates = needs.some((need) => need === 'create' || need === 'createLink' || need === 'chosenAlias');
	if (creates && behavior.planFull !== 'room') {
		return behavior.planFull === 'envelope' ? /no room for more/ : /could not handle this request|with a web page/;
	}
	const createsLink = needs.includes('createLink') || needs.includes('chosenAlias');
	if (createsLink && behavior.createReply === 'nothingMade') return /could not be made/;
	const isDropped = behavior.aliasDropped && behavior.aliasDroppedAt !== 'domains';
	if (needs.includes('chosenAlias') && isDropped) return /alias/;
	return undefined;
}
