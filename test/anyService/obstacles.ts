/**
 * What no client can do at a service, and what the error has to say then. Everything that is not named here has to work,
 * however the service answers.
 */
import type { Behavior } from '../sandbox';
import { wholeBehavior, type Service } from './services';

/** What a job needs of a service: the endpoints of QR codes, say, or that of their list (`qrs`). */
export type Need = 'account' | 'change' | 'create' | 'createLink' | 'qrCodes' | Endpoint;

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

/** The words of the errors in which a job may end that needs all this; none where it has to work. */
export function obstaclesTo(needs: readonly Need[], service: Service): RegExp[] {
	const behavior = wholeBehavior(service);
	const creates = needs.includes('create') || needs.includes('createLink');
	const full = behavior.planFull === 'envelope' ? /no room for more/ : /could not handle this request|with a web page/;
	const obstacles: Array<[is: boolean, words: RegExp]> = [
		[behavior.front !== 'nothing' && !service.header, /in front of the service/],
		[behavior.authorizationDropped, /API key/i],
		[behavior.access === 'plan', /does not include the API/],
		[behavior.access === 'suspended', /suspended/],
		[behavior.access === 'account' && needs.includes('account'), /may not read the account/],
		[
			needs.some((need) => LACKED[behavior.missing](need)),
			/does not offer|The requested route|a web page instead of data.*HTTP 40[45]/,
		],
		[creates && behavior.planFull !== 'room', full],
		[needs.includes('createLink') && behavior.createReply === 'nothingMade', /could not be made/],
	];
	return obstacles.flatMap(([is, words]) => (is ? [words] : []));
}
