import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Row } from './row';

/** What may be told of a row, in the order in which it is told. */
const DONE = ['created', 'updated', 'unchanged', 'there already', 'deleted', 'assigned', 'read', 'failed'] as const;
type Done = (typeof DONE)[number];

/** Waits shorter than this (ms) are not told. */
const SHORTEST_WAIT = 1000;

function whatWasDone({ request: { method, path } }: Row, { action, existing }: IDataObject): Done {
	const told = DONE.find((done) => done === action);
	if (told !== undefined) return told;
	if (existing === true) return 'there already';
	if (method === 'GET') return 'read';
	if (method === 'DELETE') return 'deleted';
	if (method === 'PUT') return 'updated';
	return path.includes('/assign/') ? 'assigned' : 'created';
}

function duration(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1000);
	const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
	return minutes === 0 ? `${rest} s` : rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

/** Counts what was done in a run, row by row. */
export class Totals {
	private readonly counts = new Map<Done, number>();
	private isDryRun = false;

	/** @param items what came of a row that did not fail */
	noteDone(row: Row, items: readonly INodeExecutionData[]): void {
		const json = items[0]?.json ?? {};
		this.isDryRun ||= json.dryRun === true;
		this.note(whatWasDone(row, json));
	}

	noteFailed(): void {
		this.note('failed');
	}

	private note(done: Done): void {
		this.counts.set(done, (this.counts.get(done) ?? 0) + 1);
	}

	/** @param waited how long (ms) the rate limit has held up the run */
	inWords(waited: number): string {
		const counts = DONE.filter((done) => this.counts.has(done)).map((done) => `${this.counts.get(done)} ${done}`);
		const wait = waited < SHORTEST_WAIT ? '' : ` The rate limit was waited for ${duration(waited)}.`;
		return `${this.isDryRun ? 'Dry run, nothing was changed: ' : ''}${counts.join(', ')}.${wait}`;
	}
}
