import type { IDataObject } from 'n8n-workflow';

/** Whether an item is of a row that failed. Those that went well have `error: null` where failed ones stand beside them. */
export function isFailed(json?: IDataObject): boolean {
	return (json?.error ?? null) !== null;
}
