import type { Connection } from '../service/connection';
import type { Reader } from './reader';

/** What a state belongs to: what it says holds for these settings and this account, and for no others. */
export interface Owner {
	/** The settings of the watch. */
	settings: string;
	/** The account at the service. */
	account: string;
	/** The way to that account: as long as it is the same, so is the account. */
	access: string;
}

/**
 * Whose the state is that a poll leaves. The account is read only when the way to it is new: at the first poll, and after a change
 * of the key or the address.
 *
 * @param node tells the node from all others of this n8n
 * @param last whose the last state was
 */
export async function ownerOf(
	node: string,
	settings: string,
	{ address, apiKey }: Connection,
	reader: Reader,
	last?: Owner,
): Promise<Owner> {
	// Of a key it holds far too little to find it out.
	const access = fingerprint([node, address, apiKey]);
	if (last?.access === access) return { settings, access, account: last.account };
	const account = await reader.account();
	return { settings, access, account: account === undefined ? access : fingerprint(account) };
}

/** Tells a value from others: FNV-1a over the UTF-16 units of its JSON, fast enough for some megabytes. */
export function fingerprint(value: unknown): string {
	const text = JSON.stringify(value);
	let hash = 0x811c9dc5;
	for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
	return (hash >>> 0).toString(36);
}
