import type { Bench } from './bench';
import { type Spread, withRange } from './statistics';

/** A promise with what was measured. */
export interface Check {
	promise: string;
	target: string;
	measured: string;
	met: boolean;
	/** Whether the machine's speed has no part in it: a miss is a defect, and fails the command. */
	exact?: boolean;
}

/** A figure that may be so large at most, its median where there are several. */
export function atMost(promise: string, most: number, figure: number | Spread, { digits = 0 } = {}): Check {
	const show = (value: number) => value.toFixed(digits);
	return {
		promise,
		target: `≤ ${show(most)}`,
		measured: typeof figure === 'number' ? show(figure) : withRange(figure, digits),
		met: (typeof figure === 'number' ? figure : figure.median) <= most,
	};
}

export interface Table {
	title: string;
	columns: string[];
	rows: Array<Array<string | number>>;
}

/** A line of the document: our figure beside that of what people would use instead. */
export interface Comparison {
	/** What was done, and what the figure is. */
	work: string;
	ours: string;
	instead: string;
	theirs: string;
	/** Ours ÷ theirs, where there is one. */
	ratio?: string;
}

/** What a scenario found: plain JSON, kept in docs/proof/benchmarks/. The document has the comparisons alone. */
export interface Findings {
	title: string;
	/** What was run, and how to read the figures. */
	introduction: string[];
	comparisons: Comparison[];
	checks: Check[];
	tables: Table[];
}

export interface Scenario {
	/** @param bench starts what is needed, and ends it afterwards */
	run(bench: Bench): Promise<Findings>;
}
