import type { Window } from './state';

/** No place is kept in windows with fewer. */
const SMALLEST_LIMIT_TO_KEEP_FROM = 10;
/** At most this part of a window is kept. */
const LARGEST_PART = 1 / 3;
/** So much less is kept with each window in which fewer asked: what polls every few minutes is expected back. */
const FORGOTTEN = 0.1;
/** A place is given up so long (ms) before the window ends, one after another: early enough to be used within it. */
const GIVEN_UP_BEFORE = 1_500;

/** How many places of a window are kept for those who wait in front of a screen, and for polls: as many as asked for one in windows before. */
export class KeptPlaces {
	private expected = 1;
	private asked = 0;
	private granted = 0;
	private reset?: number;

	noteAsked(): void {
		this.asked++;
	}

	noteGranted(): void {
		this.granted++;
	}

	/** @returns how many of them nobody has taken yet, and when (ms) the next one is given up to all */
	in({ limit = 0, reset, resetAt = Infinity }: Window, now: number): { kept: number; until: number } {
		if (reset !== this.reset) {
			this.expected = Math.max(1, this.asked, this.expected - FORGOTTEN);
			[this.asked, this.granted, this.reset] = [0, 0, reset];
		}
		if (limit < SMALLEST_LIMIT_TO_KEEP_FROM) return { kept: 0, until: now };
		const most = Math.min(Math.ceil(this.expected), Math.floor(limit * LARGEST_PART));
		const stillKept = Math.floor((resetAt - now) / GIVEN_UP_BEFORE);
		// One for somebody who comes without having asked before.
		const kept = Math.max(0, Math.min(Math.max(1, most - this.granted), stillKept));
		return { kept, until: resetAt - kept * GIVEN_UP_BEFORE };
	}
}
