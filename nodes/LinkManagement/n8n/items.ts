import { NodeConnectionTypes, type IDataObject, type IExecuteSingleFunctions } from 'n8n-workflow';

/**
 * The items that came into the node together with this one, itself among them. What a routing node's function is given shows one item
 * alone; the execution data has all of them (read in n8n-core 2.0.2 and 2.41.1).
 */
export function itemsBeside(context: IExecuteSingleFunctions): readonly IDataObject[] {
	const [items] = context.getExecuteData().data[NodeConnectionTypes.Main] ?? [];
	return items?.map(({ json }) => json) ?? [context.getInputData().json];
}
