import type { INodeExecutionData } from 'n8n-workflow';

import type { RequestDefinition } from './request';
import type { Output, Prepare, Row } from './row';

/** What an operation does for the rows of a run. */
export interface Operation extends RequestDefinition {
	/** Value of the resource that it belongs to. */
	resource: string;
	/** What the nodes panel shows: "Create a campaign". */
	action: string;
	/**
	 * What is asked once for all rows of an account, step by step. A step may refuse rows, complete their requests, or decide what
	 * they will do; it changes nothing at the service.
	 */
	prepare?: Prepare[];
	/** The steps of an operation that does more than to send its request; gives whole items, or undefined where its request is to be sent. */
	perform?(row: Row): Promise<INodeExecutionData[] | undefined>;
	output?: Output[];
	/** How to run rows again without doing those twice that were done. */
	runAgain?: string;
}
