import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { asPlainText } from '../n8n/messages';
import { requestOfTest } from '../n8n/requests';
import { parseUrl } from '../service/baseUrl';
import { readAnswer } from '../service/answer';
import {
	authenticated,
	certificateSettings,
	connectionOf,
	customHeader,
	type Connection,
	type RequestContext,
} from '../service/connection';
import { ApiError, rightFor } from '../service/errors';
import { sendOnce } from '../service/exchange';
import { isRecord } from '../service/records';
import { interactiveOptions, HttpServiceClient, type ServiceClient } from '../service/serviceClient';

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

/** Endpoints that a key may have rights to, each with a field by which its answer is recognized. One that works is enough. */
const READABLE: Array<[path: string, query: IDataObject, known: string[]]> = [
	['/api/account', {}, ['id', 'email', 'username']],
	['/api/urls', { limit: 1 }, ['urls', 'result']],
	['/api/qr', { limit: 1 }, ['qrs', 'result']],
	['/api/campaigns', { limit: 1 }, ['campaigns', 'result']],
];
/** After these failures, the key may still work for another endpoint. */
const OF_ONE_PATH = ['refused', 'missingScope', 'forbidden', 'missingEndpoint'];

/** @returns the rights that the key lacks, as far as they were tried @throws ApiError if nothing can be read */
async function tryOut(client: ServiceClient): Promise<string[]> {
	const lacking: string[] = [];
	let first: ApiError | undefined;
	for (const [path, query, known] of READABLE) {
		try {
			const body = await client.send({ method: 'GET', path, query });
			const parts = [body, body.data].filter(isRecord);
			if (parts.some((part) => known.some((name) => (part[name] ?? null) !== null))) return lacking;
			first ??= new ApiError('unreadable', OTHER_DATA, CHECK_ADDRESS);
		} catch (error) {
			if (!(error instanceof ApiError) || !OF_ONE_PATH.includes(error.kind)) throw first ?? error;
			first ??= error;
			if (error.kind === 'missingScope') lacking.push(rightFor(path));
		}
	}
	if (lacking.length < READABLE.length) throw first!;
	throw new ApiError('missingScope', first!.message, `${NO_RIGHTS} ${lacking.join(', ')}.`);
}

const CHECK_ADDRESS =
	'Check the Base URL. Enter the address of your link service, for example https://links.example.com, or https://example.com/links where it runs in a folder.';
const OTHER_DATA = 'Something answers at this address, but it is not a link service with this API';
const NO_RIGHTS =
	'The API Key works, but this test can read nothing with it. Open the key in your account at the service and add one of these rights:';
const COPY_KEY =
	'Copy the API Key again from your account settings at the service. If the key is right, the web server of the service may drop it: ask the owner of the service to pass on the Authorization header.';

/** What to do about a failure of the test. A node says something else where it has an operation or an item to change. */
function adviceOf({ kind, advice, statusCode = 0 }: ApiError): string {
	switch (kind) {
		case 'rateLimited':
			return 'The Base URL and the API Key may be right. Test the credential again then.';
		case 'unauthorized':
			return COPY_KEY;
		case 'serverError':
			return `The service does not work now. The API Key may be right. Test again in a few minutes. If that doesn't help, check the Base URL, or ask the owner of the service. (HTTP ${statusCode})`;
		case 'refused':
			return statusCode >= 300
				? `This may not be your link service at all. ${CHECK_ADDRESS} (HTTP ${statusCode})`
				: "This is the service's answer. Check your account and your plan there.";
		case 'forbidden':
			return `${advice} If this is not an answer of your link service, check the Base URL.`;
		case 'missingEndpoint':
		case 'unreadable':
			return CHECK_ADDRESS;
		default:
			return advice;
	}
}

/** Longest time (ms) of an answer. */
const LONGEST_TRY = 4000;

/** First parts of the paths of pages for users of a service. */
const PAGES = /^(?:user|login|sign-?in|register|sign-?up|dashboard|developers?|admin|account|settings)$/i;

/** Where the API may be if it is not below an address: at the origin, or in the folder before a page for users. */
function likelyAddresses(address: string): string[] {
	const { origin, pathname } = new URL(address);
	const parts = pathname.split('/').filter((part) => part !== '');
	const page = parts.findIndex((part) => PAGES.test(part));
	const folder = [origin, ...parts.slice(0, page)].join('/');
	return [...new Set([origin, folder])].filter((one) => one !== address);
}

/**
 * Looks for the API near a wrong address: people paste what the browser shows (interface: `baseUrl`). It sends no key, and looks for
 * an answer that asks for one.
 */
async function findApi(context: RequestContext, { address, credential }: Connection): Promise<string | undefined> {
	const settings = { ...certificateSettings(credential), headers: customHeader(credential), timeout: LONGEST_TRY };
	for (const likely of likelyAddresses(address)) {
		const request = { method: 'GET' as const, url: `${likely}/api/account`, ...settings };
		const answer = await sendOnce(context, request).catch(() => undefined);
		const kind = answer && readAnswer(answer, { method: 'GET', path: '/api/account' }).kind;
		if (kind !== undefined && ['unauthorized', 'missingScope', 'forbidden', 'rateLimited'].includes(kind))
			return likely;
	}
	return undefined;
}

/** The text of an error, with the right address if that is found. */
async function textOf(error: ApiError, context: RequestContext, connection: Connection): Promise<string> {
	const { kind, failure, message } = error;
	const { address } = connection;
	const isOfAddress = ['refused', 'missingEndpoint', 'unreadable', 'redirected', 'unreachable'].includes(kind);
	const found = isOfAddress ? await findApi(context, connection) : undefined;
	if (found !== undefined)
		return `The API of the service is not at ${address}, but at ${found}. Enter ${found} as the Base URL.`;
	if (failure?.kind === 'redirected' && parseUrl(failure.to, address)?.origin === parseUrl(address)?.origin)
		return `The address leads to a web page (${failure.to}), not to the API. ${CHECK_ADDRESS} If that is what you entered, ask the owner of the service where its API is.`;
	const hasWords = failure !== undefined && 'message' in failure && failure.message !== '';
	const isQuoted = hasWords && (kind === 'refused' || kind === 'serverError');
	const what = message.replace(/ \(HTTP \d+\)$|\.$/, '');
	return `${isQuoted ? `The service says "${what}"` : what}. ${adviceOf(error)}`;
}

/**
 * Tests a credential: reads the account (spec, GET /api/account), or else links, QR codes or campaigns, since keys may have rights by
 * resource. It fails for anything that is not a success of this API.
 */
export async function testConnection(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const context = contextOf(this, data);
	let connection: Connection | undefined;
	try {
		connection = connectionOf(data);
		const lacking = await tryOut(new HttpServiceClient(context, connection, interactiveOptions()));
		const remark = lacking.length === 0 ? '' : ` This API Key has no right to: ${lacking.join(', ')}.`;
		return { status: 'OK', message: `Connection successful!${remark}` };
	} catch (error) {
		const { message } = error as Error;
		if (connection === undefined) return { status: 'Error', message };
		const text = error instanceof ApiError ? await textOf(error, context, connection) : message;
		return { status: 'Error', message: asPlainText(connection.redact.text(text)) };
	}
}
