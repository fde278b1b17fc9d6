import type { IDataObject, PostReceiveAction } from 'n8n-workflow';

import { readParameter } from '../service/parameter';
import { chosen } from '../service/prepare';

/** Runs over the records of an answer: from the service's record to what the item holds. */
export function eachRecord(shape: (record: IDataObject) => IDataObject): PostReceiveAction {
	return async function (items) {
		return items.map(({ json }) => ({ json: shape(json) }));
	};
}

/** An ID as it was sent: a number, from a plain value or a resource locator. */
function idOf(value: unknown): number {
	return Number(chosen(value));
}

/**
 * The item of an update or an assignment: `{ success: true, message, … }` with the IDs it was about.
 *
 * @param ids output name → parameter that holds the ID
 */
export function succeeded(ids: Record<string, string>): PostReceiveAction {
	return async function (items) {
		const named = Object.fromEntries(Object.entries(ids).map(([name, parameter]) => [name, idOf(readParameter(this, parameter))]));
		return items.map(({ json }) => ({ json: { success: true, ...json, ...named } }));
	};
}

/** The item of a deletion: `{ deleted: true, message, id }`. */
export function deleted(parameter: string): PostReceiveAction {
	return async function (items) {
		const id = idOf(readParameter(this, parameter));
		return items.map(({ json }) => ({ json: { deleted: true, ...json, id } }));
	};
}
