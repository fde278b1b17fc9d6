/** What is kept for objects of n8n's (an execution, a signal), each as long as n8n holds it. */
const kept = new WeakMap<object, Map<unknown, unknown>>();

/**
 * What is kept for an object; made where there is nothing yet.
 *
 * @param holder lives as long as what is kept for it
 * @param Kind of which there is one for each holder
 */
export function keptFor<T>(holder: object, Kind: new () => T): T {
	const values = kept.get(holder) ?? new Map<unknown, unknown>();
	kept.set(holder, values);
	if (!values.has(Kind)) values.set(Kind, new Kind());
	return values.get(Kind) as T;
}
