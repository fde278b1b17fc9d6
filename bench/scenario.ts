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

/** What a scenario found: plain JSON, kept in docs/proof/benchmarks/, from which the document is written. */
export interface Findings {
	title: string;
	/** Paragraphs before the figures: what was run. */
	introduction: string[];
	checks: Check[];
	tables: Table[];
	/** Paragraphs after the figures. */
	notes?: string[];
}

export interface Scenario {
	/** @param bench starts what is needed, and ends it afterwards */
	run(bench: Bench): Promise<Findings>;
}
