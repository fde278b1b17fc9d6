/**
 * The state that a watch leaves for the next poll: plain JSON, sealed with a checksum, so that a damaged one is recognised
 * instead of being believed.
 */

import type { ListPlace as Place } from '../service/listReading';

export type { Place };

/** What a watch for new records knows. */
export interface SeenState {
	/** What is there is the baseline, as far as reading has come. */
	readonly isBaseline: boolean;
	/** The last reading found fewer records than there should be. */
	readonly isShort?: boolean;
	/** The highest IDs that were ever seen. */
	readonly ids: readonly number[];
	/** An ID that is not above this is not new. */
	readonly tail: number;
	/** How many records the listing had. */
	readonly total?: number;
	/** Of a reading that has not come to its end: where it goes on, whether the newest come first, and the new IDs that it found. */
	readonly place?: Place;
	readonly isFalling?: boolean;
	readonly met?: readonly number[];
	/** How many new ones, besides these, the total speaks of. */
	readonly missing?: number;
}

/** A count below what was reported: the lowest since, and in how many polls in a row. */
export type Fall = readonly [lowest: number, polls: number];

/** What a watch of counts knows. */
export interface CountState {
	/** The records whose baseline is complete. */
	readonly begun: 'all' | readonly number[];
	/** The baseline's last reading found fewer records than there should be. */
	readonly isShort?: boolean;
	/** The records that were chosen; undefined: all. */
	readonly selected?: readonly number[];
	/** The count of each record that was reported last, or set as its baseline. */
	readonly counts: Readonly<Record<string, number>>;
	readonly falls: Readonly<Record<string, Fall>>;
	/** A record that is not known, and whose ID is not above this, was there before: its first sight is its baseline. */
	readonly tail: number;
	/** Where the reading of the listing goes on. */
	readonly place?: Place;
	/** Known records that the service says are gone; it is not asked again. */
	readonly gone?: readonly number[];
	/** The service does not show some records one by one. */
	readonly isByList?: boolean;
	/** The record that was asked for last, where time ran out. */
	readonly asked?: number;
}

export type StateFields = SeenState | CountState;

/** What a state belongs to: what it says holds for these settings and this account, and for no others. */
export interface Owner {
	/** The settings of the watch. */
	settings: string;
	/** The account at the service. */
	account: string;
	/** The way to that account: as long as it is the same, so is the account. */
	access: string;
}

/** What is stored: `v` the version of this layout, `sum` the checksum over all the rest. */
export interface StoredState extends Owner {
	v: number;
	sum: string;
	fields: StateFields;
}

const VERSION = 2;

/**
 * Tells a value from others, and finds accidental damage; fast enough for a state of some megabytes. The order of keys does not
 * count, for a database may give them back in another one.
 */
export function fingerprint(value: unknown): string {
	return (hashOf(value) >>> 0).toString(36);
}

function hashOf(value: unknown): number {
	if (typeof value !== 'object' || value === null) return hashOfText(String(JSON.stringify(value)));
	let hash = Array.isArray(value) ? 1 : 2;
	for (const [key, part] of Object.entries(value)) {
		if (part !== undefined) hash = (hash + Math.imul(hashOfText(key), hashOf(part) | 1)) | 0;
	}
	return hash;
}

/** FNV-1a over UTF-16 units. */
function hashOfText(text: string): number {
	let hash = 0x811c9dc5;
	for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
	return hash;
}

/** Seals the fields of a watch's state. */
export function sealState({ settings, account, access }: Owner, fields: StateFields): StoredState {
	const sealed = { v: VERSION, settings, account, access, fields };
	return { ...sealed, sum: fingerprint(sealed) };
}

/**
 * Opens a stored state.
 *
 * @returns the state as it was sealed, or why it can't be used (`damaged`: another layout, too); never throws, whatever was stored
 */
export function openState(stored: unknown): StoredState | 'none' | 'damaged' {
	if (stored === undefined || stored === null) return 'none';
	// n8n watches stored data for changes, part by part: a copy is read many times faster.
	const state = JSON.parse(JSON.stringify(stored)) as Partial<StoredState>;
	const { sum, ...sealed } = state;
	return state.v === VERSION && sum === fingerprint(sealed) ? (state as StoredState) : 'damaged';
}
