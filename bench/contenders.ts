import type { IConnections, IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { CREDENTIAL_TYPE, type N8nSession, NODE_TYPE, type WorkflowJson } from '../test/n8n/host';
import { BITLY_TYPE, FLOOR_TYPE, NAIVE_TYPE } from './peers';

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

/** One node that does all the work. */
function single(name: string, type: string, parameters: IDataObject, auth?: string): Contender {
	const credential = auth === undefined ? {} : credentials(auth);
	return { name, nodes: [{ name, type, ...credential, parameters: parameters as INodeParameters }] };
}

/** Our node with these parameters. */
export function own(parameters: IDataObject, name = 'Link Management'): Contender {
	return single(name, NODE_TYPE, parameters);
}

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

/** n8n's HTTP Request node, the body field by field. */
export function http(serviceUrl: string, rowFields: Record<string, string>): Contender {
	return { name: 'HTTP Request', nodes: [httpRequest(serviceUrl, bodyFields(rowFields))] };
}

/** n8n's HTTP Request node, the whole body as one expression. */
export function httpWithJson(serviceUrl: string, rowFields: Record<string, string>): Contender {
	const entries = Object.entries(rowFields).map(([field, column]) => `${field}: $json.${column}`);
	return {
		name: 'HTTP Request, body as one expression',
		nodes: [httpRequest(serviceUrl, { specifyBody: 'json', jsonBody: `={{ { ${entries.join(', ')} } }}` })],
	};
}

/** n8n's HTTP Request node with Retry On Fail at its most: 5 tries, 5 s apart. */
export function httpWithRetry(serviceUrl: string, rowFields: Record<string, string>): Contender {
	return {
		name: 'HTTP Request, Retry On Fail (5 × 5 s)',
		nodes: [
			{ ...httpRequest(serviceUrl, bodyFields(rowFields)), retryOnFail: true, maxTries: 5, waitBetweenTries: 5000 },
		],
	};
}

/** n8n's HTTP Request node with its batching set to the service's limit by hand. */
export function httpWithBatching(
	serviceUrl: string,
	rowFields: Record<string, string>,
	batchSize: number,
	batchInterval: number,
): Contender {
	return {
		name: 'HTTP Request, batching by hand',
		nodes: [
			httpRequest(serviceUrl, {
				...bodyFields(rowFields),
				options: { batching: { batch: { batchSize, batchInterval } } },
			}),
		],
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

/** A declarative node in which each item waits for the reset by itself. */
export function naive(rowFields: Record<'url', string>): Contender {
	return single('A naive wait for the reset', NAIVE_TYPE, fromRow(rowFields), CREDENTIAL_TYPE);
}

/** The Link Management node without its code. */
export function floor(rowFields: Record<'url', string> & Record<string, string>): Contender {
	const { url, ...linkFields } = fromRow(rowFields);
	const parameters = { resource: 'link', operation: 'create', url, linkFields };
	return single('The same node without our code', FLOOR_TYPE, parameters, CREDENTIAL_TYPE);
}

/** n8n's Bitly node, at our service. Its title is our alias. */
export function bitly(rowFields: Record<'url', string> & Record<string, string>): Contender {
	const { url, custom } = fromRow(rowFields);
	const additionalFields = custom === undefined ? {} : { title: custom };
	return single('Bitly', BITLY_TYPE, { longUrl: url, additionalFields }, BITLY_AUTH);
}

/** The nodes that get all links with n8n's own means: HTTP Request, paging, and Split Out, which makes items of its pages. */
function allLinksByHand(serviceUrl: string, pageSize: number): [NodeJson, NodeJson] {
	return [
		httpRequest(serviceUrl, {
			method: 'GET',
			url: `${serviceUrl}/api/urls`,
			sendBody: false,
			sendQuery: true,
			queryParameters: { parameters: [{ name: 'limit', value: String(pageSize) }] },
			options: {
				pagination: {
					pagination: {
						paginationMode: 'updateAParameterInEachRequest',
						parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
						paginationCompleteWhen: 'other',
						completeExpression: '={{ Number($response.body.data.currentpage) >= Number($response.body.data.maxpage) }}',
					},
				},
			},
		}),
		{ name: 'Split Out', type: 'n8n-nodes-base.splitOut', parameters: { fieldToSplitOut: 'data.urls', options: {} } },
	];
}

/** n8n's HTTP Request node paging through the list, and Split Out. */
export function httpPages(serviceUrl: string, pageSize: number): Contender {
	return { name: 'HTTP Request with pagination, Split Out', nodes: allLinksByHand(serviceUrl, pageSize) };
}

/** Our node, Create or Update, with the sheet's columns as they are. */
export function ourSheet(options: IDataObject = {}, linkFields: IDataObject = {}): Contender {
	return own({
		resource: 'link',
		operation: 'upsert',
		columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
		linkFields,
		options,
	});
}

/** Rows for which an expression is true. */
function filter(name: string, expression: string): NodeJson {
	return {
		name,
		type: 'n8n-nodes-base.filter',
		typeVersion: 2.2,
		parameters: {
			conditions: {
				options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
				conditions: [
					{
						id: name,
						leftValue: `={{ ${expression} }}`,
						rightValue: '',
						operator: { type: 'boolean', operation: 'true', singleValue: true },
					},
				],
				combinator: 'and',
			},
			options: {},
		},
	};
}

/** What links show of themselves and the sheet does not speak of: to be sent along, or some services reset it. */
const SENT_ALONG = ['title: metatitle', 'description', 'expiry'].map((pair) => pair.split(': '));

/**
 * A sheet and its links in step, built of n8n's own nodes: all links, beside each row the link of its alias, then one HTTP
 * Request for what is new and one for what leads elsewhere. Both send in batches, which need not wait where nothing is limited.
 *
 * @param keeps whether each link is read before it is updated, so that it keeps what the sheet does not speak of
 */
export function sheetByHand(serviceUrl: string, pageSize: number, keeps: boolean): Contender {
	const [list, links] = allLinksByHand(serviceUrl, pageSize);
	const sending = (name: string, parameters: IDataObject): NodeJson => ({
		...httpRequest(serviceUrl, {
			specifyBody: 'json',
			options: { batching: { batch: { batchSize: 30, batchInterval: 0 } } },
			...parameters,
		}),
		name,
	});
	const kept = SENT_ALONG.map(([shown, sent = shown]) => `${sent}: $json.details.${shown} || undefined`);
	const nodes: NodeJson[] = [
		{ ...list, executeOnce: true },
		links,
		{
			name: 'Merge',
			type: 'n8n-nodes-base.merge',
			typeVersion: 3,
			parameters: {
				mode: 'combine',
				combineBy: 'combineByFields',
				advanced: true,
				mergeByFields: { values: [{ field1: 'Alias', field2: 'alias' }] },
				joinMode: 'enrichInput1',
				options: { multipleMatches: 'first', disableDotNotation: true },
			},
		},
		filter('New', '$json.id === undefined'),
		sending('Create', { jsonBody: "={{ { url: $json['Long URL'], custom: $json.Alias } }}" }),
		filter('Changed', "$json.id !== undefined && $json.longurl !== $json['Long URL']"),
		...(keeps
			? [sending('Details', { method: 'GET', url: `=${serviceUrl}/api/url/{{ $json.id }}`, sendBody: false })]
			: []),
		sending('Update', {
			method: 'PUT',
			url: `=${serviceUrl}/api/url/{{ $('Changed').item.json.id }}/update`,
			jsonBody: `={{ { url: $('Changed').item.json['Long URL']${keeps ? `, ${kept.join(', ')}` : ''} } }}`,
		}),
	];
	const first = (node: string) => ({ node, type: 'main' as const, index: 0 });
	return {
		name: `By hand from n8n’s own nodes, ${keeps ? 'reading each link before its update' : 'updating unread'}`,
		nodes,
		connections: {
			[ROWS]: { main: [[first(list.name), first('Merge')]] },
			[list.name]: to(links.name),
			[links.name]: { main: [[{ ...first('Merge'), index: 1 }]] },
			Merge: { main: [[first('New'), first('Changed')]] },
			New: to('Create'),
			Changed: to(keeps ? 'Details' : 'Update'),
			...(keeps ? { Details: to('Update') } : {}),
		},
	};
}

/** Our node, Return All. */
export function allLinks(): Contender {
	return own({ resource: 'link', operation: 'getAll', returnAll: true }, 'Link Management, Return All');
}
