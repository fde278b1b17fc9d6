/** What the limiter makes of a limit of 30 requests a minute, in simulated time. */
import { RateLimiter } from '../../../nodes/LinkManagement/rateLimit/rateLimiter';
import { type ServiceSettings, Simulation } from './service';
import { MINUTE } from './time';

/** A service at a usual distance: its windows begin on whole minutes, its resets are in seconds. */
const USUAL: Partial<ServiceSettings> = {
	limit: 30,
	windowMs: MINUTE,
	reset: 'seconds',
	latency: (random) => 20 + random() * 60,
};
/** A service that begins a window with its first request, cuts its reset down to whole seconds, and refuses through that second. */
export const FIELD = { kind: 'wholeSeconds', retryAfter: 'body' } as const;
/** The time (ms) that n8n grants a poll. */
const GRANTED = 36_000;

/** What came of a situation. `share`: the least time that the service allows, by the time it took. */
interface Paced {
	share: number;
	/** How long (ms) the sheets took. */
	actualMs: number;
	requests: number;
	refused: number;
	/** How long (ms) each form waited. */
	forms: number[];
	polls: number;
	polled: number;
}

export interface Situation {
	name: string;
	/** The least share of the speed that the service allows, and the most of its requests that are refused: medians. */
	promised: { share: number; refused: number };
	service?: Partial<ServiceSettings>;
	/** Rows of each sheet; all begin together. */
	sheets: number[];
	/** Each sheet runs in a process of its own. */
	isApart?: boolean;
	/** How often (ms), on the average, somebody sends a form. */
	formEvery?: number;
	/** How many triggers poll once a minute, and how many pages each poll reads. */
	triggers?: number;
	pages?: number;
}

export const SITUATIONS: readonly Situation[] = [
	{ name: 'one sheet of 500 rows', promised: { share: 0.99, refused: 0 }, sheets: [500] },
	{
		name: 'one sheet of 500 rows, a service that refuses through the second of its reset',
		promised: { share: 0.99, refused: 0 },
		sheets: [500],
		service: FIELD,
	},
	{
		name: 'one sheet of 500 rows, windows that begin with their first request',
		promised: { share: 0.96, refused: 0 },
		sheets: [500],
		service: { kind: 'firstRequest' },
	},
	{
		name: 'four processes that know nothing of each other, 150 rows each',
		promised: { share: 0.93, refused: 0.25 },
		sheets: [150, 150, 150, 150],
		isApart: true,
	},
	{
		name: 'a sheet of 300 rows, forms and a trigger',
		promised: { share: 0.9, refused: 0 },
		sheets: [300],
		formEvery: 40_000,
		triggers: 1,
	},
	{
		name: 'a sheet of 300 rows, forms and three triggers of two pages',
		promised: { share: 0.9, refused: 0 },
		sheets: [300],
		formEvery: 40_000,
		triggers: 3,
		pages: 2,
	},
];

/** Lets a situation happen once. */
async function pace(situation: Situation, seed: number): Promise<Paced> {
	const { service: given, sheets, isApart, formEvery, triggers = 0, pages = 1 } = situation;
	const all = new Simulation(seed, { ...USUAL, ...given }, MINUTE);
	const { time, start, random, service } = all;
	const paced: Paced = { share: 0, actualMs: 0, requests: 0, refused: 0, forms: [], polls: 0, polled: 0 };
	let isOver = false;
	const sheet = async (rows: number) => await all.sendMany(rows, isApart ? new RateLimiter(time.clock()) : all.limiter);
	const form = async () => {
		for (;;) {
			await time.sleep(formEvery! * (0.5 + random()));
			if (isOver) return;
			paced.forms.push(await all.send({ caller: {}, priority: 'people' }));
		}
	};
	const trigger = async () => {
		await time.sleep(random() * MINUTE);
		while (!isOver) {
			const next = time.now() + MINUTE;
			// The first one of all may come after the rows have taken the window.
			const isCounted = time.now() > start + 2 * MINUTE;
			const ended = new AbortController();
			void time.sleep(GRANTED).then(() => ended.abort());
			let read = 0;
			while (read < pages) {
				const request = { caller: ended, priority: 'polls' as const, signal: ended.signal };
				if (!(await all.send(request).then(Boolean, () => false))) break;
				read++;
			}
			if (isCounted && !isOver) paced.polls++;
			if (isCounted && !isOver && read > 0) paced.polled++;
			await time.sleep(next - time.now());
		}
	};
	const others = [...(formEvery === undefined ? [] : [form()]), ...Array.from({ length: triggers }, trigger)];
	const work = Promise.all(sheets.map(sheet)).then((taken) => {
		isOver = true;
		const last = start + Math.max(...taken);
		const granted = service.served.filter((at) => at <= last).length;
		paced.actualMs = last - start;
		paced.share = service.ideal(granted, start) / paced.actualMs;
	});
	await all.run(Promise.all([work, ...others]));
	paced.requests = service.served.length + service.refused;
	paced.refused = service.refused;
	return paced;
}

/** Lets a situation happen at several moments of a window. */
export async function paceOften(situation: Situation, times = 12): Promise<Paced[]> {
	const all: Paced[] = [];
	for (let seed = 1; seed <= times; seed++) all.push(await pace(situation, seed));
	return all;
}
