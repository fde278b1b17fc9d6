/** What happens in the life of a trigger: at the service, to n8n, and by its user. All is drawn. */
import fc, { type Arbitrary } from 'fast-check';

import type { Order, Ties } from '../unit/watchSimulation';
import { MODES, type Mode } from './n8n';
import type { Odd } from './service';

/** Something that happens at the service. `pick` chooses the record. */
export type Deed =
	| { do: 'create'; count: number; times: number }
	| { do: 'click'; pick: number; by: number }
	| { do: 'remove'; pick: number }
	/** It vanishes from the list, or shows again. */
	| { do: 'hide' | 'restore'; pick: number }
	| { do: 'fall'; pick: number };

export interface OddAnswer {
	at: number;
	odd: Odd;
}

export type Change = 'nothing' | 'name' | 'key' | 'threshold' | 'selected';

export type Step =
	| { do: 'happen'; deeds: Deed[] }
	| {
			do: 'poll';
			odd?: OddAnswer;
			between: Deed[];
			/** At this request, the workflow is saved, or n8n is killed. */
			at?: number;
			then?: 'publish' | 'kill';
			isRefused?: boolean;
			isTwice?: boolean;
			main: number;
	  }
	| { do: 'restart' }
	/** The credential gets another key of the account. */
	| { do: 'key' }
	| { do: 'publish'; change: Change; odd?: OddAnswer }
	| { do: 'off'; deeds: Deed[]; isRestarted: boolean; change: Change; odd?: OddAnswer };

export const EVENTS = ['linkCreated', 'qrCodeCreated', 'linkClicked', 'qrCodeScanned', 'linkClickThreshold'] as const;

/** What a trigger watches. */
export interface WatchStory {
	event: (typeof EVENTS)[number];
	/** Of events of counts: how many records are chosen, 0: all are watched. */
	selected: number;
	threshold: number;
	thresholdMode: 'once' | 'every';
}

/** Another trigger of the same key, which polls so long (ms) before the first one. */
export interface Neighbor extends WatchStory {
	before: number;
}

export interface LifeStory extends WatchStory {
	mode: Mode;
	neighbors: Neighbor[];
	order: Order;
	ties: Ties;
	totals: boolean;
	/** One page too many is announced, and is an error. */
	pageTooMany: boolean;
	atFirst: number;
	page: number;
	/** How long an answer takes, and how long a poll of the scheduler may take (ms). */
	latency: number;
	budget: number;
	/** The list is not read in one poll. */
	isSlow: boolean;
	steps: Step[];
}

const times = fc.oneof(
	{ weight: 4, arbitrary: fc.integer({ min: 1, max: 3 }) },
	{ weight: 1, arbitrary: fc.integer({ min: 4, max: 60 }) },
);
const pick = fc.nat(5_000);
const by = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 60 }));

const create = fc.record({ do: fc.constant('create' as const), count: fc.nat(3), times });
const createOne = create.map((deed) => ({ ...deed, times: 1 }));
const click = fc.record({ do: fc.constant('click' as const), pick, by });
const loss = fc.oneof(
	fc.record({ do: fc.constant('remove' as const), pick }),
	fc.record({ do: fc.constant('fall' as const), pick }),
	fc.record({ do: fc.constantFrom('hide' as const, 'restore' as const), pick }),
);

const deeds: Arbitrary<Deed[]> = fc.array(
	fc.oneof({ weight: 3, arbitrary: create }, { weight: 4, arbitrary: click }, loss),
	{
		maxLength: 6,
	},
);
/** Between two pages: one thing at a time. */
const between: Arbitrary<Deed[]> = fc.array(fc.oneof(createOne, click, click, loss), { maxLength: 5 });

const odd: Arbitrary<Odd> = fc.oneof(
	fc.nat(60).map((text) => ({ text })),
	fc.constantFrom<Odd[]>('emptied', 'emptied', 'fallen', 'fallen', 'firstPage', 'broken', 'hangs'),
);
const oddAnswer: Arbitrary<OddAnswer | undefined> = fc.option(
	fc.record({ at: fc.oneof(fc.nat(4), fc.nat(4), fc.nat(60)), odd }),
	{
		nil: undefined,
		freq: 2,
	},
);
const sometimes = (freq: number) => fc.nat(freq).map((drawn) => drawn === 0);
const change = fc.constantFrom<Change[]>('nothing', 'nothing', 'name', 'key', 'threshold', 'selected');

const poll: Arbitrary<Step> = fc.record({
	do: fc.constant('poll' as const),
	odd: oddAnswer,
	between,
	at: fc.option(fc.nat(3), { nil: undefined, freq: 1 }),
	then: fc.constantFrom('publish' as const, 'kill' as const, undefined, undefined),
	isRefused: sometimes(9),
	isTwice: sometimes(5),
	main: fc.nat(1),
});
const step: Arbitrary<Step> = fc.oneof(
	{ weight: 5, arbitrary: fc.record({ do: fc.constant('happen' as const), deeds }) },
	{ weight: 6, arbitrary: poll },
	{ weight: 1, arbitrary: fc.constantFrom<Step>({ do: 'restart' }, { do: 'key' }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('publish' as const), change, odd: oddAnswer }) },
	{
		weight: 1,
		arbitrary: fc.record({ do: fc.constant('off' as const), deeds, isRestarted: sometimes(2), change, odd: oddAnswer }),
	},
);

/** The longest time of a poll (ms). */
export const LONGEST_POLL = 30_000;
const MANY = 100;
/** Records of a page, as a list is asked at first. */
const FIRST_PAGE = 100;
/** So many records are made in a life, or fewer, as a rule. */
const MADE = 100;

/**
 * Where a reading takes several polls, or ties stand in another order on each page, the list has a total; and in the former case nothing is removed from it: nobody can tell what moves between two
 * of them, where no total says so, or as much was made meanwhile.
 */
function withTotals(story: Omit<LifeStory, 'isSlow'>): LifeStory {
	const time = ((story.atFirst + MADE) / Math.min(story.page, FIRST_PAGE)) * story.latency;
	const isSlow = time > Math.min(story.budget, LONGEST_POLL);
	const totals = story.totals || isSlow || story.ties === 'drawn';
	// Without a total, the last page of a few records is as full as the others.
	const pageTooMany = story.pageTooMany && (totals || story.page >= 15);
	// They take long to play.
	const others = isSlow || story.atFirst > MANY ? [] : story.neighbors;
	return { ...story, isSlow, totals, pageTooMany, neighbors: others };
}

/** Accounts of a few records, with pages of a few; and large ones. */
const account = fc.oneof(
	{ weight: 6, arbitrary: fc.record({ atFirst: fc.nat(30), page: fc.integer({ min: 2, max: 10 }) }) },
	{ weight: 2, arbitrary: fc.record({ atFirst: fc.integer({ min: 30, max: 400 }), page: fc.constantFrom(15, 100) }) },
	{
		weight: 1,
		arbitrary: fc.record({ atFirst: fc.integer({ min: 1_000, max: 5_000 }), page: fc.constantFrom(100, 1_000) }),
	},
);

const watchStory = {
	event: fc.constantFrom(...EVENTS),
	selected: fc.constantFrom(0, 0, 0, 2, 6),
	threshold: fc.integer({ min: 5, max: 60 }),
	thresholdMode: fc.constantFrom('once' as const, 'every' as const),
};

const neighbors = fc.array(fc.record({ ...watchStory, before: fc.integer({ min: 1, max: 58_000 }) }), {
	minLength: 1,
	maxLength: 2,
});

export const lifeStories: Arbitrary<LifeStory> = fc
	.tuple(
		account,
		fc.record({
			...watchStory,
			mode: fc.constantFrom(...MODES),
			neighbors: fc.oneof({ weight: 3, arbitrary: fc.constant<Neighbor[]>([]) }, { weight: 2, arbitrary: neighbors }),
			order: fc.constantFrom<Order[]>('newest', 'newest', 'oldest', 'scattered'),
			ties: fc.constantFrom<Ties[]>('rising', 'falling', 'scattered', 'drawn'),
			totals: fc.nat(3).map((drawn) => drawn > 0),
			pageTooMany: fc.nat(3).map((drawn) => drawn === 0),
			latency: fc.constantFrom(50, 50, 400, 3_000),
			budget: fc.constantFrom(5_000, 36_000, 240_000, 480_000, 3_600_000),
			steps: fc.array(step, { minLength: 3, maxLength: 16 }),
		}),
	)
	.map(([held, rest]) => withTotals({ ...held, ...rest }));
