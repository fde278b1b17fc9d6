import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Row } from './row';

/** What may have come of a row that did not fail, in the order in which it is told. */
const DONE = ['created', 'updated', 'unchanged', 'there already', 'skipped', 'deleted', 'assigned', 'read'] as const;
type Done = (typeof DONE)[number];

/** What a dry run only says of its rows. */
const PLANNED = new Set<Done>(['created', 'updated', 'deleted', 'assigned']);

/** Waits shorter than this (ms) are not told. */
const SHORTEST_WAIT = 1000;

/** Reasons of failures that are told at most, and characters of each. */
const MOST_REASONS = 3;
const LONGEST_REASON = 100;

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

function addOne<Key>(counts: Map<Key, number>, key: Key): void {
	counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Counts what was done in a run, row by row. */
export class Totals {
	private readonly counts = new Map<Done, number>();
	private readonly reasons = new Map<string, number>();
	private isDryRun = false;

	/** @param items what came of a row that did not fail */
	noteDone(row: Row, items: readonly INodeExecutionData[]): void {
		const json = items[0]?.json ?? {};
		this.isDryRun ||= json.dryRun === true;
		addOne(this.counts, whatWasDone(row, json));
	}

	/** @param reason rows that differ in what it quotes alone failed for the same */
	noteFailed(reason: string): void {
		addOne(this.reasons, reason.replace(/"[^"]*"/g, '"…"').replace(/\.$/, ''));
	}

	/** How many rows failed, and why: the most frequent reasons first. */
	private failures(): string[] {
		const reasons = [...this.reasons].sort(([, one], [, other]) => other - one);
		if (reasons.length === 0) return [];
		const all = reasons.reduce((sum, [, count]) => sum + count, 0);
		const shown = reasons.slice(0, MOST_REASONS).map(([reason, count]) => {
			const short = reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)}…` : reason;
			return `${count} × ${short}`;
		});
		const rest = reasons.length > MOST_REASONS ? ', …' : '';
		return [`${all} ${this.isDryRun ? 'would fail' : 'failed'}: ${shown.join(', ')}${rest}`];
	}

	/** @param waited how long (ms) the rate limit has held up the run */
	inWords(waited: number): string {
		const counts = DONE.filter((done) => this.counts.has(done)).map((done) => {
			const isPlanned = this.isDryRun && PLANNED.has(done);
			return `${this.counts.get(done)} ${isPlanned ? `would be ${done}` : done}`;
		});
		const wait = waited < SHORTEST_WAIT ? '' : ` Waited ${duration(waited)} for the rate limit.`;
		const said = [...counts, ...this.failures()].join(', ');
		return `${this.isDryRun ? 'Dry run, nothing was changed: ' : ''}${said}.${wait}`;
	}
}
