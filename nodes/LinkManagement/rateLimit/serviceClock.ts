/**
 * What is known of the difference between the service's clock and ours, in milliseconds: it lies between the two. The Date
 * header is cut to whole seconds, so one answer leaves a second of doubt, and many answers leave almost none.
 */
export interface ServiceClock {
	readonly least: number;
	readonly most: number;
}

export const UNKNOWN_CLOCK: ServiceClock = { least: -Infinity, most: Infinity };

/**
 * Takes in the Date header of an answer.
 *
 * @param date the header, in ms
 * @param sentAt local time (ms) at which the request was sent
 * @param receivedAt local time (ms) at which its answer came
 */
export function narrowClock(clock: ServiceClock, date: number, sentAt: number, receivedAt: number): ServiceClock {
	const least = date - receivedAt;
	const most = date + 1000 - sentAt;
	// One of the two clocks was set to another time: what was learned before is void.
	if (least > clock.most || most < clock.least) return { least, most };
	return { least: Math.max(clock.least, least), most: Math.min(clock.most, most) };
}

/**
 * Turns a time on the service's clock (ms) into local time (ms). While no difference is proven, the clocks count as equal;
 * then the middle of what is possible is taken, which the next answers narrow by half, whichever way it was wrong.
 */
export function toLocalTime({ least, most }: ServiceClock, serviceTime: number): number {
	const mayBeEqual = least <= 0 && most >= 0;
	return serviceTime - (mayBeEqual ? 0 : (least + most) / 2);
}
