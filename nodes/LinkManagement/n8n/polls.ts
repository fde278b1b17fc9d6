import type { IDataObject, INode, IPollFunctions } from 'n8n-workflow';

/** Undocumented members of n8n's contexts. */
interface Undocumented {
	readonly workflow?: { readonly staticData?: IDataObject; readonly nodes?: Record<string, INode> };
	readonly __commitCursor?: () => Promise<void>;
	readonly getPollBudgetMs?: () => number;
}

/** Prefix of a node's key in the static data of a workflow. */
const OF_NODE = 'node:';

/**
 * The static data of a polling node, also after it was renamed: n8n stores it by the node's name (read in n8n-core 2.0.2 and 2.41.1;
 * with durable cursors by the node's ID). So this looks at data of nodes that no longer exist.
 *
 * @param isOwn whether data is this node's, by what the node has stored in it
 */
export function staticDataOf(context: IPollFunctions, isOwn: (data: IDataObject) => boolean): IDataObject {
	const data = context.getWorkflowStaticData('node');
	const { staticData = {}, nodes } = (context as Undocumented).workflow ?? {};
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
 * Whether n8n saves static data only together with a report: then it wraps the data, with a flag for changes (read in n8n-core 2.0.2
 * and 2.41.1). Durable cursors have no such flag.
 */
export function isSavedWithReports(data: object): boolean {
	return '__dataChanged' in data;
}

/**
 * Saves the durable cursor of a poll without a report, if there is one. n8n does so itself after all polls except the one at activation
 * (read in n8n 2.41.1).
 */
export async function saveCursor(context: IPollFunctions): Promise<void> {
	await (context as Undocumented).__commitCursor?.();
}

/** Default time for one poll (ms). */
const DEFAULT_BUDGET = 5 * 60_000;

/** Time for one poll (ms): n8n's scheduler grants 36 seconds by default (read in n8n 2.41.1). */
export function budgetOf(context: IPollFunctions): number {
	return (context as Undocumented).getPollBudgetMs?.() ?? DEFAULT_BUDGET;
}
