import type { INodeExecutionData } from 'n8n-workflow';

/** What came of a row that is done: its items, or the error that tells of it. */
type Outcome = { items: INodeExecutionData[] } | { error: unknown };

/**
 * What is kept of a run over its tries, or of an execution over its nodes and rounds.
 *
 * A change is made once for each row, however often it is tried: what came of it is known by the row, not by its content, which may
 * be another one at each try (an expression with `$now`). A row that was held back, or that failed with nothing done, is not here.
 */
export class Memory {
	private readonly outcomes = new Map<number, Outcome>();
	private readonly values = new Map<unknown, unknown>();

	outcomeOf(index: number): Outcome | undefined {
		return this.outcomes.get(index);
	}

	note(index: number, outcome: Outcome): void {
		this.outcomes.set(index, outcome);
	}

	/** Indexes of the rows whose change was made, in rising order. */
	get doneRows(): number[] {
		const done = [...this.outcomes].filter(([, outcome]) => 'items' in outcome);
		return done.map(([index]) => index).sort((a, b) => a - b);
	}

	/** Something that several have in common, made by the one that asks first. A promise that fails is not kept. */
	share<T>(key: unknown, make: () => T): T {
		if (this.values.has(key)) return this.values.get(key) as T;
		const made = make();
		this.values.set(key, made);
		if (made instanceof Promise) made.catch(() => this.values.delete(key));
		return made;
	}
}
