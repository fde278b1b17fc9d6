import { narrowClock, toLocalTime, UNKNOWN_CLOCK } from '../../nodes/LinkManagement/rateLimit/serviceClock';

const NOW = 1_800_000_000_000;

test('a clock that is ahead is found out, ever more closely', () => {
	const ahead = 12_345;
	let clock = UNKNOWN_CLOCK;
	for (let step = 0; step < 40; step++) {
		const sentAt = NOW + step * 1037;
		const there = sentAt + 2 + ahead;
		clock = narrowClock(clock, Math.floor(there / 1000) * 1000, sentAt, sentAt + 4);
	}
	expect(Math.abs(toLocalTime(clock, NOW) - (NOW - ahead))).toBeLessThan(60);
});

test('clocks that agree are taken as equal, also when one is set anew meanwhile', () => {
	const agreed = narrowClock(UNKNOWN_CLOCK, NOW, NOW + 400, NOW + 410);
	expect(toLocalTime(agreed, NOW)).toBe(NOW);
	const setAnew = narrowClock(agreed, NOW + 90_000, NOW + 400, NOW + 410);
	expect(toLocalTime(setAnew, NOW + 90_000)).toBeLessThan(NOW + 2000);
});
