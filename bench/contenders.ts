import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { inARow, type N8nSession, NODE_TYPE, type WorkflowJson } from '../test/n8n/host';

type NodeJson = WorkflowJson['nodes'][number];

/** A way to get a piece of work done in n8n: the nodes that come after the rows, one after the other. */
export interface Contender {
	name: string;
	nodes: NodeJson[];
}

const HEADER_AUTH = 'httpHeaderAuth';

/** Saves what all contenders need to speak to the service with this key. Workflows created from then on use it. */
export async function useKey(n8n: N8nSession, serviceUrl: string, apiKey: string): Promise<void> {
	await n8n.createCredential({ baseUrl: serviceUrl, apiKey });
	await n8n.createCredential({ name: 'Authorization', value: `Bearer ${apiKey}` }, { type: HEADER_AUTH });
}

/** A workflow that hands rows to a contender. */
export function workflowOf({ name, nodes }: Contender, rows: IDataObject[]): WorkflowJson {
	const workflow = inARow(...nodes);
	return { ...workflow, name, pinData: { [workflow.nodes[0].name]: rows.map((json) => ({ json })) } };
}

/** Our node with these parameters. */
export function own(parameters: IDataObject, name: string): Contender {
	return { name, nodes: [{ name, type: NODE_TYPE, parameters: parameters as INodeParameters }] };
}

/** A node that only calls n8n's own request, one after another: see bareNode. */
export function bare(rowFields: Record<string, string>): Contender {
	const parameters = fromRow(rowFields);
	const credentials = { linkManagementApi: { id: null, name: 'linkManagementApi' } };
	const node = { name: 'Bare', type: 'n8n-nodes-bare.bare', credentials, parameters };
	return { name: 'bare node', nodes: [node] };
}

/** Our node, each parameter from an expression. */
export function ours(rowFields: Record<'url', string> & Record<string, string>): Contender {
	const { url, ...linkFields } = fromRow(rowFields);
	return own({ resource: 'link', operation: 'create', url, linkFields }, 'Create');
}

/** Body field → the expression that takes it from the row's column. */
function fromRow(rowFields: Record<string, string>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(rowFields).map(([field, column]) => [field, `={{ $json[${JSON.stringify(column)}] }}`]),
	);
}

/**
 * n8n's HTTP Request node, the body field by field.
 *
 * @param options those of the node, such as its batching
 * @param settings such as Retry On Fail
 */
export function http(
	serviceUrl: string,
	rowFields: Record<string, string>,
	name = 'HTTP Request',
	options: IDataObject = {},
	settings: Partial<INode> = {},
): Contender {
	const fields = Object.entries(fromRow(rowFields)).map(([field, value]) => ({ name: field, value }));
	const body = { sendBody: true, bodyParameters: { parameters: fields } };
	const node = httpNode({ method: 'POST', url: `${serviceUrl}/api/url/add`, ...body, options });
	return { name, nodes: [{ ...node, ...settings }] };
}

/** n8n's HTTP Request node, which reads all links page by page, and Split Out, which makes items of the pages. */
export function httpList(serviceUrl: string, page: number): Contender {
	const pages = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
		paginationCompleteWhen: 'other',
		completeExpression: '={{ $response.body.data.nextpage === null }}',
	};
	const node = httpNode({
		url: `${serviceUrl}/api/urls`,
		sendQuery: true,
		queryParameters: { parameters: [{ name: 'limit', value: String(page) }] },
		options: { pagination: { pagination: pages } },
	});
	const splitOut = {
		name: 'Split Out',
		type: 'n8n-nodes-base.splitOut',
		parameters: { fieldToSplitOut: 'data.urls', options: {} },
	};
	return { name: 'HTTP Request with pagination', nodes: [node, splitOut] };
}

function httpNode(parameters: IDataObject): NodeJson {
	return {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.4,
		// n8n's session fills in the credential that was saved last for this type.
		credentials: { [HEADER_AUTH]: { id: null, name: HEADER_AUTH } },
		parameters: {
			authentication: 'genericCredentialType',
			genericAuthType: HEADER_AUTH,
			...parameters,
		} as INodeParameters,
	};
}

/** Our node, Create or Update, with the sheet's columns as they are. */
export function ourSheet(): Contender {
	return own({ resource: 'link', operation: 'upsert' }, 'Create or Update');
}
