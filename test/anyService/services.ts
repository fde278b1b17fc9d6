/** A service of the family, drawn at random: every deviation by itself, and faults besides. */
import { Random } from '../sandbox/records';
import type { Behavior, Fault } from '../sandbox';
import { DEVIATION_NAMES, DEVIATIONS, DOCUMENT, type DeviationName } from '../sandbox/dialect';

/** What a service does otherwise than the document says. */
export type Deviations = Partial<Behavior>;

export interface Service {
	/** Draws its account and its faults, too. */
	seed: number;
	deviations: Deviations;
	faults: Fault[];
	/** Whether the user has entered the header that passes what stands in front. */
	header: boolean;
}

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
 * What is not drawn: the document does not rule out the first, and no service does it, for nobody could tell what was made. The second
 * would refuse most aliases of the jobs; test/engine and test/model draw it.
 */
const NOWHERE = new Set(['createReply=bare', 'aliasKept=stripped']);

/** What nobody could tell, with a deviation that is left out then. */
const UNTOLD: Array<[is: (behavior: Behavior) => boolean, without: DeviationName]> = [
	// Only the total shows what ties hide.
	[({ ties, figures }) => ties > 0 && /missing|nextPage/.test(figures), 'ties'],
];

/** What a key of few rights may do, the tests of the credential and of errors show. */
const NOT_DRAWN: DeviationName = 'rights';

const HALF = 0.5;
const SELDOM = 0.05;

/** Reads that fail are tried again, and refusals waited out: no job may come to harm by these. */
const FAULTS: readonly Fault[] = [
	{ kind: 'status', status: 503, body: 'html', match: { method: 'GET' }, every: 9, times: 2 },
	{ kind: 'dropBefore', match: { method: 'GET' }, every: 7, times: 2 },
	{ kind: 'truncatedJson', match: { method: 'GET' }, every: 11, times: 1 },
	{ kind: 'rateLimited', headers: false, retryAfter: 0, every: 10, times: 2 },
	{ kind: 'latency', ms: 1, jitterMs: 20, probability: 0.2 },
];

/** The service that a seed stands for. */
export function drawService(seed: number): Service {
	const random = new Random(seed);
	const drawn = DEVIATION_NAMES.filter((name) => name !== NOT_DRAWN).flatMap(
		(name): Array<[DeviationName, unknown]> => {
			const choices: readonly unknown[] = DEVIATIONS[name].choices;
			const value = random.pick(choices.filter((choice) => !NOWHERE.has(`${name}=${String(choice)}`)));
			const chance = OBSTRUCTING[name]?.includes(value) ? SELDOM : HALF;
			return random.next() < chance && value !== DOCUMENT[name] ? [[name, value]] : [];
		},
	);
	const deviations = Object.fromEntries(drawn) as Deviations;
	for (const [isUntold, name] of UNTOLD) if (isUntold(wholeBehavior({ deviations }))) delete deviations[name];
	return {
		seed,
		deviations,
		faults: random.next() < 0.3 ? [random.pick(FAULTS)] : [],
		header: random.next() < 0.9,
	};
}

/** How the service answers. */
export function wholeBehavior({ deviations }: Pick<Service, 'deviations'>): Behavior {
	return { ...DOCUMENT, ...deviations };
}
