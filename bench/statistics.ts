/** Bytes. */
export const MEGABYTE = 2 ** 20;

/** Several measurements of the same thing. */
export interface Spread {
	median: number;
	min: number;
	max: number;
}

/** The middle value; of an even number of values, the mean of the two in the middle. */
export function median(values: number[]): number {
	if (values.length === 0) throw new Error('There is no median of nothing.');
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Median and range of measurements. */
export function spread(values: number[]): Spread {
	return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/**
 * How many times the other's figure ours is, run by run: the runs of one round stand next to each other in time, so that
 * what disturbs the machine disturbs both.
 */
export function ratios(ours: number[], theirs: number[]): number[] {
	if (ours.length !== theirs.length) throw new Error('Ratios need as many runs of one as of the other.');
	return ours.map((value, index) => value / theirs[index]);
}

/** `0.97 (0.94–1.02)`: median and range. */
export function withRange({ median: middle, min, max }: Spread, digits = 2): string {
	return `${middle.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}
