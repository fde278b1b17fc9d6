/**
 * Whether n8n saves what a poll leaves in its static data: it wraps data that it watches, and marks it with a flag that tells whether
 * it has changed (read in n8n-core 2.0.2 and 2.41.1). A test of the trigger works on a copy, which is dropped.
 *
 * @param data what `getWorkflowStaticData` gave
 */
export function isSavedByEngine(data: object): boolean {
	return '__dataChanged' in data;
}
