import { NodeConnectionTypes, type IDataObject, type IExecuteSingleFunctions } from 'n8n-workflow';

/**
 * All input items of the run. The context of a row may show one alone; the execution data has all of them (read in n8n-core 2.0.2 and
 * 2.41.1).
 */
export function allInputItems(context: IExecuteSingleFunctions): readonly IDataObject[] {
	const [items] = context.getExecuteData().data[NodeConnectionTypes.Main] ?? [];
	return items?.map(({ json }) => json) ?? [context.getInputData().json];
}
