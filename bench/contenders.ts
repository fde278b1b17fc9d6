import type { IConnections, IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { type N8nSession, NODE_TYPE, type WorkflowJson } from '../test/n8n/host';
import { BITLY_TYPE } from './peers';

type NodeJson = WorkflowJson['nodes'][number];

/** A way to get a piece of work done in n8n: the nodes that come after the rows. */
export interface Contender {
	name: string;
	nodes: NodeJson[];
	/** Default: the rows, then one node after the other. */
	connections?: IConnections;
}

/** The node that holds the rows. */
export const ROWS = 'Rows';

const HEADER_AUTH = 'httpHeaderAuth';
const BITLY_AUTH = 'bitlyApi';
const HTTP_REQUEST = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.4 };

/** n8n's session fills in the credential that was saved last for each of these types. */
function credentials(type: string): Pick<INode, 'credentials'> {
	return { credentials: { [type]: { id: null, name: type } } };
}

/** Saves what all contenders need to speak to the service with this key. Workflows created from then on use it. */
export async function useKey(n8n: N8nSession, serviceUrl: string, apiKey: string): Promise<void> {
	await n8n.createCredential({ baseUrl: serviceUrl, apiKey });
	await n8n.createCredential({ name: 'Authorization', value: `Bearer ${apiKey}` }, { type: HEADER_AUTH });
	await n8n.createCredential({ accessToken: apiKey }, { type: BITLY_AUTH });
}

function to(node: string): { main: Array<Array<{ node: string; type: 'main'; index: number }>> } {
	return { main: [[{ node, type: 'main', index: 0 }]] };
}

function chain(names: string[]): IConnections {
	return Object.fromEntries(names.slice(1).map((name, index) => [names[index], to(name)]));
}

/** A workflow that hands rows to a contender. */
export function workflowOf({ name, nodes, connections }: Contender, rows: IDataObject[]): WorkflowJson {
	return {
		name,
		nodes: [{ name: ROWS, type: 'n8n-nodes-base.manualTrigger', parameters: {} }, ...nodes],
		connections: connections ?? chain([ROWS, ...nodes.map((node) => node.name)]),
		pinData: { [ROWS]: rows.map((json) => ({ json })) },
	};
}

/** Our node with these parameters. */
export function own(parameters: IDataObject, name = 'Link Management'): Contender {
	return { name, nodes: [{ name, type: NODE_TYPE, parameters: parameters as INodeParameters }] };
}

/** The parameters that list all links. */
export const ALL_LINKS = { resource: 'link', operation: 'getAll', returnAll: true };

/** Our node, each parameter from an expression. */
export function ours(rowFields: Record<'url', string> & Record<string, string>): Contender {
	const { url, ...linkFields } = fromRow(rowFields);
	return own({ resource: 'link', operation: 'create', url, linkFields });
}

/** Body field → the expression that takes it from the row's column. */
function fromRow(rowFields: Record<string, string>): Record<string, string> {
	return Object.fromEntries(Object.entries(rowFields).map(([field, column]) => [field, `={{ $json.${column} }}`]));
}

function httpRequest(serviceUrl: string, parameters: IDataObject): NodeJson {
	return {
		name: 'HTTP Request',
		...HTTP_REQUEST,
		...credentials(HEADER_AUTH),
		parameters: {
			method: 'POST',
			url: `${serviceUrl}/api/url/add`,
			authentication: 'genericCredentialType',
			genericAuthType: HEADER_AUTH,
			sendBody: true,
			...parameters,
		},
	} as NodeJson;
}

function bodyFields(rowFields: Record<string, string>): IDataObject {
	return {
		bodyParameters: { parameters: Object.entries(fromRow(rowFields)).map(([name, value]) => ({ name, value })) },
	};
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
	return { name, nodes: [{ ...httpRequest(serviceUrl, { ...bodyFields(rowFields), options }), ...settings }] };
}

/** n8n's HTTP Request node, the whole body as one expression. */
export function httpWithJson(serviceUrl: string, rowFields: Record<string, string>): Contender {
	const entries = Object.entries(rowFields).map(([field, column]) => `${field}: $json.${column}`);
	return {
		name: 'HTTP Request, body as one expression',
		nodes: [httpRequest(serviceUrl, { specifyBody: 'json', jsonBody: `={{ { ${entries.join(', ')} } }}` })],
	};
}

/** Loop Over Items, an HTTP Request, and a Wait that is as long as the service's window. */
export function loopWithWait(
	serviceUrl: string,
	rowFields: Record<string, string>,
	batchSize: number,
	waitSeconds: number,
): Contender {
	const loop = 'Loop Over Items';
	return {
		name: 'Loop Over Items with Wait',
		nodes: [
			{ name: loop, type: 'n8n-nodes-base.splitInBatches', typeVersion: 3, parameters: { batchSize, options: {} } },
			httpRequest(serviceUrl, bodyFields(rowFields)),
			{
				name: 'Wait',
				type: 'n8n-nodes-base.wait',
				typeVersion: 1.1,
				parameters: { resume: 'timeInterval', amount: waitSeconds, unit: 'seconds' },
			},
		],
		connections: {
			[ROWS]: to(loop),
			[loop]: { main: [[], [{ node: 'HTTP Request', type: 'main', index: 0 }]] },
			'HTTP Request': to('Wait'),
			Wait: to(loop),
		},
	};
}

/** n8n's Bitly node, at our service. Its title is our alias. */
export function bitly(rowFields: Record<'url', string> & Record<string, string>): Contender {
	const { url, custom } = fromRow(rowFields);
	const additionalFields = custom === undefined ? {} : { title: custom };
	const parameters = { longUrl: url, additionalFields };
	return { name: 'Bitly', nodes: [{ name: 'Bitly', type: BITLY_TYPE, ...credentials(BITLY_AUTH), parameters }] };
}

/** Our node, Create or Update, with the sheet's columns as they are. */
export function ourSheet({ matchOn, ...options }: IDataObject = {}, linkFields: IDataObject = {}): Contender {
	return own({
		resource: 'link',
		operation: 'upsert',
		...(matchOn === undefined ? {} : { matchOn }),
		columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
		linkFields,
		options,
	});
}
