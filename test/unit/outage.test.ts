/** A service that is down, as the requests of a process see it: who probes when, and when an outage is over. */
import { ApiError } from '../../nodes/LinkManagement/service/errors';
import { Outage } from '../../nodes/LinkManagement/service/outage';
import { pass, passing, virtualTime } from '../life/time';

const MINUTE = 60_000;
const failure = new ApiError('down', 'The service is down', '');

let outage: Outage;

virtualTime();

beforeEach(() => (outage = new Outage()));

const fail = () => outage.note(Date.now(), failure);
const work = () => outage.note(Date.now());

/** How long (ms) a request waits until it may go; undefined if it may not. */
async function waitOf(until = Infinity): Promise<number | undefined> {
	const from = Date.now();
	const over = await passing(outage.turn(until));
	over?.();
	return over && Date.now() - from;
}

test('no request waits while the service works, and each probe waits longer, up to 15 seconds', async () => {
	expect(await waitOf()).toBe(0);
	const waits: Array<number | undefined> = [];
	for (let probes = 0; probes < 8; probes++) {
		fail();
		waits.push(await waitOf());
	}
	expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
	work();
	expect(await waitOf()).toBe(0);
});

test('the last probe goes when the time is over, and then none', async () => {
	fail();
	const until = Date.now() + 300;
	expect(await waitOf(until)).toBe(300);
	expect(await waitOf(until)).toBeUndefined();
});

test('an outage that nobody has seen for minutes delays no request, and the next one begins anew', async () => {
	for (let probes = 0; probes < 8; probes++) {
		fail();
		await waitOf();
	}
	await pass(3 * MINUTE);
	expect(await waitOf()).toBe(0);
	fail();
	expect(outage.now?.since).toBe(Date.now());
	expect(await waitOf()).toBe(500);
});

test('one request probes at a time', async () => {
	fail();
	let others = 0;
	const first = await passing(outage.turn(Infinity));
	const waiting = [1, 2, 3].map(async () => await outage.turn(Infinity).then((over) => (others++, over?.())));
	await pass(MINUTE);
	expect(others).toBe(0);
	work();
	first?.();
	await passing(Promise.all(waiting));
	expect(others).toBe(3);
});
