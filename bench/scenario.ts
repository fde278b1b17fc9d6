import type { Bench } from './bench';
import type { ChartSpec } from './charts';

/** A promise with what was measured. */
export interface Check {
	promise: string;
	target: string;
	measured: string;
	met: boolean;
	/** Whether the machine's speed has no part in it: a miss is a defect, and fails the command. */
	exact?: boolean;
}

export interface Table {
	title: string;
	columns: string[];
	rows: string[][];
}

/** What a scenario found: plain JSON, kept in docs/proof/benchmarks/, from which the document is written. */
export interface Findings {
	title: string;
	/** Paragraphs before the figures: what was run. */
	introduction: string[];
	checks: Check[];
	tables: Table[];
	charts: ChartSpec[];
	/** Paragraphs after the figures. */
	notes: string[];
	/** How often each figure was measured, where that is not what was asked for: what is counted is the same each time. */
	runs?: number;
}

export interface Scenario {
	/** @param bench starts what is needed, and ends it afterwards */
	run(bench: Bench): Promise<Findings>;
}
