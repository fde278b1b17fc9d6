import { parse } from 'flatted';
import type { ExecutionStatus, INodeExecutionData, IRunData, IRunExecutionData } from 'n8n-workflow';

/** A record of n8n's executions as its list shows it. */
export interface ExecutionSummary {
	id: string;
	workflowId: string;
	status: ExecutionStatus;
	startedAt: string | null;
	stoppedAt: string | null;
}

const RUNNING: ExecutionStatus[] = ['new', 'running', 'waiting', 'unknown'];

/** Tells whether an execution has come to its end, good or bad. */
export function isFinished(status: ExecutionStatus): boolean {
	return !RUNNING.includes(status);
}

/** An execution with its data, as it was saved by n8n. */
export class Execution {
	readonly id: string;

	readonly status: ExecutionStatus;

	/** Milliseconds from start to stop by n8n's own clock; NaN while it runs. */
	readonly durationMs: number;

	readonly data: IRunExecutionData;

	/** @param record the answer of GET /rest/executions/:id, its data still in flatted form */
	constructor(record: ExecutionSummary & { data: string }) {
		this.id = record.id;
		this.status = record.status;
		this.durationMs = Date.parse(record.stoppedAt ?? '') - Date.parse(record.startedAt ?? '');
		this.data = parse(record.data) as IRunExecutionData;
	}

	get runData(): IRunData {
		return this.data.resultData.runData;
	}

	/** The error that ended the execution. */
	get error(): { message: string } | undefined {
		return this.data.resultData.error;
	}

	/**
	 * The items that a node put out, of all its runs in order.
	 *
	 * @param nodeName the node's name in the workflow
	 * @param output the number of the output; under On Error → Continue (Error Output) the error output is 1
	 */
	items(nodeName: string, output = 0): INodeExecutionData[] {
		const runs = this.runData[nodeName];
		if (runs === undefined) {
			throw new Error(
				`The node "${nodeName}" did not run; these did: ${Object.keys(this.runData).join(', ')}. ${this.error?.message ?? ''}`,
			);
		}
		return runs.flatMap((run) => run.data?.main[output] ?? []);
	}

	/** The JSON of `items`. */
	json(nodeName: string, output = 0): Array<INodeExecutionData['json']> {
		return this.items(nodeName, output).map((item) => item.json);
	}
}
