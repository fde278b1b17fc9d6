import type { Behavior } from './dialect';
import { isCreation } from './service';

type Json = Record<string, unknown>;

const FIGURES = new Set(['result', 'perpage', 'currentpage', 'nextpage', 'maxpage']);

/**
 * How the service at hand writes an answer that the contract has found right: where an ID and a list's records stand, and
 * what its figures are.
 */
export function written(body: Json, operationId: string, collection: string | undefined, behavior: Behavior): Json {
	if (collection !== undefined) return writtenList(body, collection, behavior);
	if (!isCreation(operationId) || behavior.createdIdIn === 'id' || !('id' in body)) return body;
	const { id, ...rest } = body;
	return { ...rest, data: { id } };
}

function writtenList(body: Json, collection: string, behavior: Behavior): Json {
	const { recordsAs, recordsAt, figures } = behavior;
	const entries = Object.entries(body.data as Json).flatMap(([name, value]): Array<[string, unknown]> => {
		if (name === collection) return [[name, recordsAs === 'object' ? { ...(value as unknown[]) } : value]];
		if (!FIGURES.has(name) || figures === 'numbers') return [[name, value]];
		if (figures === 'nextPage') return name === 'nextpage' ? [[name, value]] : [];
		return figures === 'missing' ? [] : [[name, value === null ? null : String(value)]];
	});
	const { data: _data, ...rest } = body;
	const data = Object.fromEntries(entries);
	return recordsAt === 'top' ? { ...rest, ...data } : { ...rest, data };
}
