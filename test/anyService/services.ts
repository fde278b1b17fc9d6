/** A service of the family, drawn at random: each deviation by itself. */
import type { Behavior } from '../sandbox';
import { DEVIATION_NAMES, DEVIATIONS, DOCUMENT, type DeviationName } from '../sandbox/dialect';
import type { Random } from '../sandbox/records';

export interface Service {
	deviations: Partial<Behavior>;
	/** Whether the user has entered the header that passes what stands in front. */
	header: boolean;
}

/** The service that answers as the document says, and one that answers as deployed services do. */
export const AS_DOCUMENTED: Service = { deviations: {}, header: true };

/** With these, few or no jobs can be done: they would hide what the others do. */
const OBSTRUCTING: Partial<Record<DeviationName, readonly unknown[]>> = {
	access: ['plan', 'suspended'],
	authorizationDropped: [true],
	planFull: ['envelope', 'page'],
	createReply: ['nothingMade'],
	missing: ['linkChanges', 'leftOut', 'lists', 'half'],
	front: ['script', 'page403'],
};

/**
 * What is not drawn. What a key of few rights may do, the tests of errors show. No service sends the bare reply, for nobody could tell what
 * was made. Where a link does not come as asked, a run makes another one each night (test/model/nights.test.ts).
 */
const NOT_DRAWN: Partial<Record<DeviationName, readonly unknown[]>> = {
	rights: DEVIATIONS.rights.choices,
	createReply: ['bare'],
	aliasKept: ['stripped'],
	aliasDropped: [true],
	longUrlKept: ['tagged'],
};

const SELDOM = 0.05;

/** A service that deviates much, or hardly. Figures that are missing leave out ties: only a total shows what those hide. */
export function drawService(random: Random): Service {
	const often = random.pick([0.1, 0.3, 0.5]);
	const drawn = DEVIATION_NAMES.flatMap((name): Array<[DeviationName, unknown]> => {
		const value = random.pick<unknown>(DEVIATIONS[name].choices);
		const isDrawn = random.next() < (OBSTRUCTING[name]?.includes(value) ? SELDOM : often);
		return isDrawn && NOT_DRAWN[name]?.includes(value) !== true ? [[name, value]] : [];
	});
	const deviations = Object.fromEntries(drawn) as Partial<Behavior>;
	if (/missing|nextPage/.test(deviations.figures ?? '')) delete deviations.ties;
	return { deviations, header: random.next() < 0.9 };
}

/** How the service answers. */
export function wholeBehavior({ deviations }: Service): Behavior {
	return { ...DOCUMENT, ...deviations };
}
