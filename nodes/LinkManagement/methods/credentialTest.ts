import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { asPlainText } from '../n8n/messages';
import { requestOfTest } from '../n8n/requests';
import { authenticated, type Connection, connectionOf, type RequestContext } from '../service/connection';
import { ACCOUNT, LISTS } from '../service/endpoints';
import { adviceOf, ApiError } from '../service/answer/errors';
import { isRecord } from '../service/records';
import { ServiceClient } from '../service/send/serviceClient';
import { interactiveOptions } from './dropdown';

/** A context that can send requests: a credential's test has no node, and none of n8n's authenticated requests. */
function contextOf(test: ICredentialTestFunctions, data: ICredentialDataDecryptedObject): RequestContext {
	const httpRequest = requestOfTest(test);
	return {
		helpers: {
			httpRequest,
			httpRequestWithAuthentication: async (_type, options) => await httpRequest(authenticated(data, options)),
		},
	};
}

/** Endpoints that a key may have rights to, each with fields by which its answer is recognized. One that works is enough. */
const READABLE: Array<[path: string, query: IDataObject, known: string[]]> = [
	[ACCOUNT, {}, ['id', 'email', 'username']],
	...[LISTS.links, LISTS.qrCodes, LISTS.campaigns].map(({ path, collection }): [string, IDataObject, string[]] => [
		path,
		{ limit: 1 },
		[collection, 'result'],
	]),
];

const OTHER_DATA = 'Something answers at this address, but it is not a link service with this API';
const ENTER_SERVICE =
	'Check the Base URL. Enter the address of your link service, for example https://links.example.com.';
const NO_RIGHTS =
	'The API Key works, but this test can read nothing with it. Open the key in your account at the service and add the right to use one of these:';

/** @throws ApiError if the endpoint does not answer as this API does */
async function read(client: ServiceClient, [path, query, known]: (typeof READABLE)[number]): Promise<void> {
	const body = await client.send({ method: 'GET', path, query });
	const parts = [body, body.data].filter(isRecord);
	if (!parts.some((part) => known.some((name) => (part[name] ?? null) !== null)))
		throw new ApiError('unreadable', OTHER_DATA, ENTER_SERVICE);
}

/** @returns the rights that the key lacks, as far as they were tried @throws ApiError if nothing can be read */
async function tryOut(client: ServiceClient): Promise<string[]> {
	const lacking: string[] = [];
	let first: ApiError | undefined;
	for (const endpoint of READABLE) {
		try {
			await read(client, endpoint);
			return lacking;
		} catch (error) {
			// Another endpoint may still answer.
			if (!(error instanceof ApiError) || ['key', 'service'].includes(error.affects)) throw first ?? error;
			first ??= error;
			if (error.kind === 'missingScope') lacking.push(endpoint[0]);
		}
	}
	if (lacking.length < READABLE.length) throw first!;
	throw first!.with({ advice: `${NO_RIGHTS} ${lacking.join(', ')}.` });
}

/** Says which address is used, if it is not what was entered. */
function addressNote(entered: unknown, { address }: Connection): string {
	const text = String(entered).trim();
	return text.startsWith(address) && /^(?:\/api)?\/*$/i.test(text.slice(address.length))
		? ''
		: ` The nodes use ${address}.`;
}

/**
 * Tests a credential: reads the account (spec, GET /api/account), or else links, QR codes or campaigns, since keys may have rights by
 * resource. It fails for anything that is not a success of this API.
 */
export async function testConnection(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	let connection: Connection | undefined;
	try {
		connection = connectionOf(data);
		const lacking = await tryOut(new ServiceClient(contextOf(this, data), connection, interactiveOptions()));
		const remark = lacking.length === 0 ? '' : ` This API Key has no right to use ${lacking.join(', ')}.`;
		return { status: 'OK', message: `Connection successful!${remark}${addressNote(data.baseUrl, connection)}` };
	} catch (error) {
		const { message } = error as Error;
		if (connection === undefined) return { status: 'Error', message };
		const advice = error instanceof ApiError ? `. ${adviceOf(error)}${addressNote(data.baseUrl, connection)}` : '';
		return { status: 'Error', message: asPlainText(connection.redact.text(`${message}${advice}`)) };
	}
}
