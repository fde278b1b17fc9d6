/** The rules of the rate limit as tables: what the service answered, and what may go when. Times in ms from a whole second. */
import { admit, type Asking } from '../../nodes/LinkManagement/rateLimit/admit';
import { observe } from '../../nodes/LinkManagement/rateLimit/observe';
import { NOTHING_KNOWN, type RateLimitState } from '../../nodes/LinkManagement/rateLimit/state';

const ORIGIN = 1_800_000_000_000;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** One answer: when the request left and when its answer came, and what that said. */
interface Heard {
	sent?: number;
	at: number;
	refused?: boolean;
	remaining?: number;
	/** X-RateLimit-Reset as it stands in the header. */
	reset?: number | string;
	limit?: number;
	/** Seconds in the body. */
	retryAfter?: number;
	/** What the service's clock shows when it answers. */
	date?: number;
	/** No answer came. */
	lost?: boolean;
}

interface Row {
	fact: string;
	heard: Heard[];
	/** Who asks, when, and with requests on the way that left at these times. */
	asked: Array<{ at: number; asking?: Asking; inFlight?: number[]; verdict: 'go' | { until: number; why: string } }>;
}

/** The header of a reset so many ms from the origin, in whole seconds. */
const seconds = (at: number): string => String((ORIGIN + at) / 1000);

function learn(state: RateLimitState, heard: Heard): RateLimitState {
	const { at, sent = at - 5, refused = false, remaining, reset, limit = 30, retryAfter, date = at, lost } = heard;
	const headers = {
		'x-ratelimit-limit': remaining === undefined ? undefined : limit,
		'x-ratelimit-remaining': remaining,
		'x-ratelimit-reset': reset,
		date: new Date(Math.floor((ORIGIN + date) / 1000) * 1000).toUTCString(),
	};
	const answer = { refused, headers, retryAfter: retryAfter === undefined ? undefined : 1000 * retryAfter };
	const outcome = { flight: { sentAt: ORIGIN + sent }, othersInFlight: 0, answer: lost ? undefined : answer };
	return observe(state, outcome, ORIGIN + at, () => 0.5);
}

/** Answers to requests of ours alone, 10 ms apart, until so many places are left of 30. */
function used(from: number, left: number, reset: number | string): Heard[] {
	return Array.from({ length: 30 - left }, (_, index) => ({
		sent: from + 10 * index,
		at: from + 10 * index + 5,
		remaining: 29 - index,
		reset,
	}));
}

const windowOfAMinute: Heard[] = used(5, 0, seconds(MINUTE));
/** A fixed window was seen to end and the next one to begin, and all but so many places of it are used. */
const secondWindow = (left: number): Heard[] => [...windowOfAMinute, ...used(MINUTE + 10, left, seconds(2 * MINUTE))];
const others = { alsoWaiting: 5 };

const rows: Row[] = [
	{
		fact: 'nothing is known: one request feels the way, the others wait for its answer',
		heard: [],
		asked: [
			{ at: 0, verdict: 'go' },
			{ at: 100, inFlight: [0], verdict: { until: 5000, why: 'answer' } },
			{ at: 5001, inFlight: [0], verdict: 'go' },
		],
	},
	{
		fact: 'places are left: only as many go at once as answers have come',
		heard: [{ at: 10, remaining: 29, reset: seconds(MINUTE) }],
		asked: [
			{ at: 20, verdict: 'go' },
			{ at: 20, inFlight: [15], verdict: 'go' },
			{ at: 20, inFlight: [15, 16], verdict: { until: 5015, why: 'answer' } },
		],
	},
	{
		fact: 'in later windows all places that are left are asked for at once, and no more; the last one by who waits in front of a screen',
		heard: secondWindow(2),
		asked: [
			{ at: MINUTE + 600, asking: { urgent: true }, inFlight: [MINUTE + 590], verdict: 'go' },
			{
				at: MINUTE + 600,
				asking: others,
				inFlight: [MINUTE + 590],
				verdict: { until: 2 * MINUTE - 1490, why: 'kept' },
			},
			{
				at: MINUTE + 600,
				asking: { urgent: true },
				inFlight: [MINUTE + 590, MINUTE + 591],
				verdict: { until: MINUTE + 5590, why: 'answer' },
			},
		],
	},
	{
		fact: 'a reset refused through the second that it names an hour ago: services change, and it is tried again',
		heard: [
			{ at: 300, refused: true, remaining: 0, reset: seconds(0), retryAfter: 0 },
			{ at: 61 * MINUTE, remaining: 0, reset: seconds(62 * MINUTE) },
		],
		asked: [{ at: 61 * MINUTE + 5, verdict: { until: 62 * MINUTE + 10, why: 'limit' } }],
	},
	{
		fact: 'a reset in milliseconds is not cut down, whatever was learned of whole seconds',
		heard: [
			{ at: 300, refused: true, retryAfter: 0 },
			{ sent: 1010, at: 1015, remaining: 0, reset: ORIGIN + 61_500 },
		],
		asked: [{ at: 1020, verdict: { until: 61_510, why: 'limit' } }],
	},
	{
		fact: 'an answer without headers between others takes a place and teaches nothing',
		heard: [{ at: 10, remaining: 2, reset: ORIGIN + 5000 }, { at: 20 }, { at: 30 }],
		asked: [{ at: 40, verdict: { until: 5010, why: 'limit' } }],
	},
	{
		fact: 'no rate-limit headers: as many as come',
		heard: [{ at: 10 }],
		asked: [
			{ at: 20, inFlight: [15], verdict: 'go' },
			{ at: 20, inFlight: [15, 16], verdict: { until: 5015, why: 'answer' } },
		],
	},
	{
		fact: 'no rate-limit headers, refused: a second, and longer each time',
		heard: [
			{ at: 10, refused: true },
			{ sent: 1200, at: 1210, refused: true },
		],
		asked: [{ at: 1220, verdict: { until: 1210 + 2250, why: 'limit' } }],
	},
	{
		fact: 'others use the key too: one at a time, spread over the window',
		heard: [
			{ at: 10, remaining: 29, reset: seconds(MINUTE) },
			{ at: 20, remaining: 20, reset: seconds(MINUTE) },
		],
		asked: [
			{ at: 30, verdict: { until: 7518.75, why: 'others' } },
			{ at: 7520, verdict: 'go' },
			{ at: 7521, inFlight: [7520], verdict: { until: 12_520, why: 'answer' } },
		],
	},
	{
		fact: 'others use the key too: the last places of a window are left to them, but for who is urgent',
		heard: [
			{ at: 10, remaining: 29, reset: seconds(MINUTE) },
			{ at: 20, remaining: 3, reset: seconds(MINUTE) },
		],
		asked: [
			{ at: 30, asking: others, verdict: { until: MINUTE + 10, why: 'others' } },
			{ at: 30, asking: { urgent: true }, verdict: 'go' },
		],
	},
	{
		fact: 'a key shared under a daily window: the last places are left to others for a minute, not for the day',
		heard: [
			{ at: 10, remaining: 290, limit: 300, reset: seconds(DAY / 2) },
			{ at: 20, remaining: 2, limit: 300, reset: seconds(DAY / 2) },
		],
		asked: [{ at: 30, verdict: { until: 60_020, why: 'others' } }],
	},
	{
		fact: 'a window of some minutes is used up: one request a minute feels the way',
		heard: [{ at: 10, remaining: 0, limit: 300, reset: seconds(9 * MINUTE) }],
		asked: [
			{ at: 20, verdict: { until: 60_010, why: 'limit' } },
			{ at: 60_010, verdict: 'go' },
			{ at: 60_020, inFlight: [60_010], verdict: { until: 65_010, why: 'answer' } },
		],
	},
	{
		fact: 'the request that tries is lost: the next one tries',
		heard: [
			{ at: 10, remaining: 0, reset: seconds(DAY / 2) },
			{ sent: 20, at: 30, lost: true },
		],
		asked: [{ at: 40, verdict: 'go' }],
	},
	{
		fact: 'a reset long past says nothing: after a pause one request feels the way',
		heard: [{ at: 10, remaining: 0, reset: 100_000_001 }],
		asked: [
			{ at: 20, verdict: { until: 10 + 1125, why: 'limit' } },
			{ at: 1135, verdict: 'go' },
		],
	},
	{
		fact: "the service's clock is set back by an hour: its next answer counts",
		heard: [
			{ at: 10, remaining: 29, reset: seconds(MINUTE) },
			{ at: 20, remaining: 0, reset: seconds(MINUTE - DAY / 24), date: 20 - DAY / 24 },
		],
		// As close as one Date header tells.
		asked: [{ at: 30, verdict: { until: MINUTE + 10 - 482.5, why: 'limit' } }],
	},
	{
		fact: 'the last place of a window is kept until shortly before its end, then whoever waits takes it; who finishes with it at once',
		heard: secondWindow(1),
		asked: [
			{ at: MINUTE + 600, asking: others, verdict: { until: 2 * MINUTE + 10 - 1500, why: 'kept' } },
			{ at: MINUTE + 600, asking: { alsoWaiting: 0 }, verdict: 'go' },
			{ at: 2 * MINUTE - 1490, asking: others, verdict: 'go' },
		],
	},
	{
		fact: 'the last place of a first window is kept too, where its reset is named in seconds',
		heard: [{ at: 10, remaining: 1, reset: seconds(MINUTE) }],
		asked: [
			{ at: 20, asking: others, verdict: { until: MINUTE - 1490, why: 'kept' } },
			{ at: 20, asking: { urgent: true }, verdict: 'go' },
		],
	},
	{
		fact: 'no place is kept where the reset is named more finely than in seconds: places may come free one by one',
		heard: [{ at: 10, remaining: 1, reset: ORIGIN + MINUTE + 7 }],
		asked: [{ at: 20, asking: others, verdict: 'go' }],
	},
];

test.each(rows)('$fact', ({ heard, asked }) => {
	const state = heard.reduce(learn, NOTHING_KNOWN);
	for (const { at, asking, inFlight = [], verdict } of asked) {
		const flights = new Set(inFlight.map((sentAt) => ({ sentAt: ORIGIN + sentAt })));
		const seen = admit(state, flights, ORIGIN + at, asking);
		expect([at, seen === 'go' ? seen : { until: seen.waitUntil - ORIGIN, why: seen.why }]).toEqual([at, verdict]);
	}
});
