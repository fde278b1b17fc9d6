import type { IDataObject, INode, IPollFunctions } from 'n8n-workflow';

/** What n8n's contexts hold beside what they promise. */
interface Held {
	readonly workflow?: { readonly staticData?: IDataObject; readonly nodes?: Record<string, INode> };
	readonly __commitCursor?: () => Promise<void>;
	readonly getPollBudgetMs?: () => number;
}

/** Before the name of a node whose static data it is. */
const OF_NODE = 'node:';

/**
 * The static data of a polling node, also after it was renamed: n8n keeps it by the node's name (read in n8n-core 2.0.2 and
 * 2.41.1; with durable cursors by the node's ID). What stands under the name of a node that is no longer there is looked through.
 *
 * @param isOwn whether data is this node's, by what the node itself has left in it
 */
export function staticDataOf(context: IPollFunctions, isOwn: (data: IDataObject) => boolean): IDataObject {
	const data = context.getWorkflowStaticData('node');
	const { staticData = {}, nodes } = (context as Held).workflow ?? {};
	if (Object.keys(data).length > 0 || nodes === undefined) return data;
	for (const [key, left] of Object.entries(staticData)) {
		const name = key.startsWith(OF_NODE) ? key.slice(OF_NODE.length) : undefined;
		if (name === undefined || name in nodes || !isOwn(left as IDataObject)) continue;
		Object.assign(data, JSON.parse(JSON.stringify(left)));
		delete staticData[key];
		break;
	}
	return data;
}

/**
 * Whether n8n saves what a poll leaves in its static data only together with a report: it wraps data that it watches, and marks it
 * with a flag that tells whether it has changed (read in n8n-core 2.0.2 and 2.41.1). Durable cursors have no such flag.
 */
export function isSavedWithReports(data: object): boolean {
	return '__dataChanged' in data;
}

/**
 * Has n8n save the cursor of a poll without a report. It does so itself after all polls but the one at activation (read in n8n 2.41.1).
 * Where it has no durable cursors, this does nothing.
 */
export async function saveCursor(context: IPollFunctions): Promise<void> {
	await (context as Held).__commitCursor?.();
}

/** Time for one poll (ms) where n8n sets none. */
const USUAL_BUDGET = 5 * 60_000;

/** Time that n8n grants a poll (ms): its scheduler says so, 36 seconds unless it is told otherwise (read in n8n 2.41.1). */
export function budgetOf(context: IPollFunctions): number {
	return (context as Held).getPollBudgetMs?.() ?? USUAL_BUDGET;
}
