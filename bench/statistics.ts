/** The middle value; of an even number of values, the mean of the two in the middle. */
export function median(values: number[]): number {
	if (values.length === 0) throw new Error('There is no median of nothing.');
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** `0.97 (0.94–1.02)`: median and range. */
export function withRange(values: number[], digits = 2): string {
	const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map((one) =>
		one.toFixed(digits),
	);
	return `${middle} (${least}–${most})`;
}
