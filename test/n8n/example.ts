import { readdirSync, readFileSync } from 'fs';
import type { IncomingMessage } from 'http';
import { join } from 'path';
import { text } from 'stream/consumers';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { page } from '../documentation/markdown';
import { serve } from '../engine/serve';
import type { WorkflowJson } from './host';
import { PROJECT } from './host/installation';

const EXAMPLES = join(PROJECT, 'examples');
/** The folder that the examples name, which n8n's Docker image has. */
const FILES_FOLDER = '/home/node/.n8n-files';

/** Whether the n8n of the tests is so new: by default they run in the newest. */
function isAtLeast(version: string): boolean {
	const [major, minor] = (process.env.N8N_VERSION ?? 'newest').split('.').map(Number);
	const [least, leastMinor = 0] = version.split('.').map(Number);
	return Number.isNaN(major) || major > least || (major === least && minor >= leastMinor);
}

/** The names of all workflows to import, but for those that this n8n has no nodes for, as examples/README.md says. */
export const EXAMPLE_FILES = readdirSync(EXAMPLES).filter((file) => {
	const row = page('examples/README.md')
		.split('\n')
		.find((line) => line.includes(`(${file})`));
	const [, needed = '0'] = /\(n8n ([\d.]+) or newer\)/.exec(row ?? '') ?? [];
	return file.endsWith('.json') && isAtLeast(needed);
});

/** A workflow from the file that users import. */
export class Example {
	readonly workflow: WorkflowJson;

	readonly path: string;

	/**
	 * @param file its name in the examples folder
	 * @param set what the file's user sets in all places: the folder of the spreadsheets, the URL of a webhook
	 */
	constructor(file: string, set: { filesFolder?: string; webhookUrl?: string } = {}) {
		this.path = join(EXAMPLES, file);
		const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);
		this.workflow = JSON.parse(
			readFileSync(this.path, 'utf8').replaceAll(FILES_FOLDER, quoted(set.filesFolder ?? FILES_FOLDER)),
		) as WorkflowJson;
		// Left empty in the file, so that n8n refuses to publish the workflow until somebody has entered it.
		for (const { type, parameters } of this.workflow.nodes)
			if (type === 'n8n-nodes-base.httpRequest' && parameters.url === '') parameters.url = set.webhookUrl ?? '';
	}

	/** Sets a parameter of a node, as the sticky note asks for. */
	set(node: string, parameters: INodeParameters): this {
		Object.assign(this.node(node).parameters, parameters);
		return this;
	}

	node(name: string): WorkflowJson['nodes'][number] {
		const found = this.workflow.nodes.find((node) => node.name === name);
		if (found === undefined) throw new Error(`${this.path} has no node "${name}".`);
		return found;
	}

	get stickyNote(): string {
		return String(this.node('What to set').parameters.content);
	}
}

/** What the Google node would write: the cells that its columns name, or the whole item. */
function bodyOf(columns: IDataObject | undefined): string {
	if (columns?.mappingMode !== 'defineBelow') return '={{ $json }}';
	const cells = Object.entries(columns.value as Record<string, string>).map(
		([name, value]) => `${JSON.stringify(name)}: ${value.replace(/^=\{\{|\}\}$/g, '')}`,
	);
	return `={{ { ${cells.join(', ')} } }}`;
}

/**
 * Stands in for a Google sheet, for no test can reach one: the nodes that read and update it become requests to a server that
 * keeps the rows and does what n8n's Google Sheets node does. A row comes with its `row_number`, and is updated by that; where a
 * node matches by another column, a row that is not found is appended.
 */
export class GoogleSheet {
	private constructor(
		/** The rows below the titles, as the sheet shows them. */
		readonly rows: IDataObject[],
	) {}

	/** Puts a sheet where the Google nodes of a workflow are. */
	static async replaceIn({ workflow }: Example, rows: IDataObject[] = []): Promise<GoogleSheet> {
		const { url } = await Receiver.start((body, { method }) => {
			if (method === 'GET') return rows.map((row, index) => ({ row_number: index + 2, ...row }));
			const { row_number: number, ...cells } = body as IDataObject;
			const row =
				number === undefined ? rows.find((one) => one[matching] === cells[matching]) : rows[Number(number) - 2];
			if (row === undefined) rows.push(cells);
			return Object.assign(row ?? {}, cells);
		});
		let matching = '';
		for (const node of workflow.nodes.filter(({ type }) => type === 'n8n-nodes-base.googleSheets')) {
			const { operation, columns } = node.parameters;
			Object.assign(node, { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.3 });
			node.parameters = { method: 'GET', url, options: {} };
			if (operation !== 'read') {
				[matching] = (columns as unknown as { matchingColumns: string[] }).matchingColumns;
				Object.assign(node.parameters, {
					method: 'POST',
					sendBody: true,
					specifyBody: 'json',
					jsonBody: bodyOf(columns as IDataObject | undefined),
				});
			}
		}
		return new GoogleSheet(rows);
	}
}

/** A server that keeps what it is sent, until the last test of the file is over. */
export class Receiver {
	private constructor(
		readonly url: string,
		/** The bodies that came, parsed. */
		readonly received: unknown[],
	) {}

	/** @param answer what it answers to a body; plain `ok` as Slack's incoming webhooks by default */
	static async start(answer: (body: unknown, request: IncomingMessage) => unknown = () => 'ok'): Promise<Receiver> {
		const received: unknown[] = [];
		const url = await serve((request, response) => {
			void text(request).then((sent) => {
				const body: unknown = sent === '' ? undefined : JSON.parse(sent);
				received.push(body);
				const reply = answer(body, request);
				response.setHeader('content-type', typeof reply === 'string' ? 'text/plain' : 'application/json');
				response.end(typeof reply === 'string' ? reply : JSON.stringify(reply));
			});
		});
		return new Receiver(url, received);
	}
}
