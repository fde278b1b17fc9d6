import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { requestOfTest } from '../n8n/requests';
import { parseUrl } from '../service/baseUrl';
import { authenticated, connectionOf, type Connection, type RequestContext } from '../service/connection';
import { ApiError, rightFor } from '../service/errors';
import { findApi } from '../service/findApi';
import { isRecord } from '../service/records';
import { mannerOfScreen, tooLate } from '../service/retry';
import { speakerOf, type Speaker } from '../service/sendRequest';

/** A credential's test has no node, and so none of n8n's authenticated requests. */
function contextOf(test: ICredentialTestFunctions, data: ICredentialDataDecryptedObject): RequestContext {
	const httpRequest = requestOfTest(test);
	return {
		helpers: {
			httpRequest,
			httpRequestWithAuthentication: async (_type, options) => await httpRequest(authenticated(data, options)),
		},
	};
}

/** What a key may be good for: each with a field by which its answer is known. One that can be read suffices. */
const READABLE: Array<[path: string, known: string[]]> = [
	['/api/account', ['id', 'email', 'username']],
	['/api/urls', ['urls', 'result']],
	['/api/qr', ['qrs', 'result']],
	['/api/campaigns', ['campaigns', 'result']],
];
/** After these, a key may still be good for something else. */
const OF_ONE_PATH = ['refused', 'noRight', 'plan', 'noEndpoint'];

/** @returns the rights that the key lacks, as far as they were asked for. @throws ApiError where nothing can be read */
async function tryOut({ send }: Speaker): Promise<string[]> {
	const lacking: string[] = [];
	let first: ApiError | undefined;
	for (const [path, known] of READABLE) {
		const query = path === READABLE[0][0] ? {} : { limit: 1 };
		const answer = await send({ method: 'GET', path, query }).catch((error: unknown) => {
			const isOfPath = error instanceof ApiError && OF_ONE_PATH.includes(error.kind);
			if (!isOfPath || (error.kind === 'noEndpoint' && error.endpoint === undefined)) throw first ?? error;
			return error;
		});
		if (!(answer instanceof ApiError) && shows(answer, known)) return lacking;
		first ??= answer instanceof ApiError ? answer : new ApiError('unreadable', OTHER_DATA, CHECK_ADDRESS);
		if (answer instanceof ApiError && answer.kind === 'noRight') lacking.push(rightFor(path));
	}
	if (lacking.length < READABLE.length) throw first!;
	throw new ApiError('noRight', first!.message, `${NO_RIGHTS} ${lacking.join(', ')}.`);
}

function shows(body: IDataObject, known: string[]): boolean {
	return [body, body.data].some((part) => isRecord(part) && known.some((name) => (part[name] ?? null) !== null));
}

const ADDRESS =
	'Enter the address at which you sign in to your link service, up to the host, for example https://links.example.com';
const CHECK_ADDRESS = `Check the Base URL. ${ADDRESS}.`;
const OTHER_DATA = 'Something answers at this address, but it is not the API of a link service of this kind';
const NO_RIGHTS =
	'The API Key works, but it may read nothing that this test asks for. Open the key in your account at the service and add one of these rights:';
const COPY_KEY =
	'Copy the API Key from your account settings at the service once more. If it is right, the web server of the service may drop it: ask the owner of the service to have the Authorization header passed on.';
const CERTIFICATES: Array<[code: RegExp, advice: string]> = [
	[/EXPIRED/, 'Its certificate has expired. Ask the owner of the service to renew it.'],
	[
		/ALTNAME/,
		'Its certificate is made out to another address. Check the Base URL, also for a missing or needless www.',
	],
	[
		/EPROTO|SSL/,
		'It does not speak https at this address. Check the Base URL: a service in your own network may want http:// or another port.',
	],
	[
		/./,
		'n8n does not trust its certificate, which may be self-signed. Ask the administrator of n8n to set NODE_EXTRA_CA_CERTS to the file of that certificate. Nodes have Request Options → Ignore SSL Issues, this test has not.',
	],
];

/** What to do about a failure of the test, where that is not what a node says: there is no operation and no item to change. */
function adviceOf({ kind, advice, statusCode = 0, failure }: ApiError): string {
	const code = failure?.is === 'unreachable' && failure.lasting && !failure.isForbidden ? failure.code : undefined;
	if (code !== undefined) return `${CERTIFICATES.find(([codes]) => codes.test(code))![1]} (${code})`;
	switch (kind) {
		case 'limited':
			return 'This says nothing about the Base URL or the API Key. Test the credential again then.';
		case 'key':
			return COPY_KEY;
		case 'failing':
			return [502, 503, 504].includes(statusCode)
				? `The service is not available at the moment, perhaps for maintenance. Test again in a few minutes. If it stays so, check the Base URL. (HTTP ${statusCode})`
				: `The service itself does not work as it should. This says nothing about the API Key. Test again later. If it stays so, ask the owner of the service. (HTTP ${statusCode})`;
		case 'refused':
			return statusCode >= 300
				? `This may not be your link service at all. ${CHECK_ADDRESS} (HTTP ${statusCode})`
				: 'This is the answer of the service. Look at your account and your plan there.';
		case 'plan':
			return `${advice} If it is not your link service that says this, check the Base URL.`;
		case 'noEndpoint':
		case 'unreadable':
			return CHECK_ADDRESS;
		default:
			return advice;
	}
}

/** What the test shows of an error, with the address to enter where that can be found. */
async function textOf(error: unknown, context: RequestContext, connection: Connection): Promise<string> {
	if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
	const { kind, failure, message } = error;
	const { address } = connection;
	const to = failure?.is === 'redirected' ? failure.to : undefined;
	const isOfAddress = ['refused', 'noEndpoint', 'unreadable', 'redirected', 'unreachable'].includes(kind);
	const found = isOfAddress ? await findApi(context, connection) : undefined;
	if (found !== undefined)
		return `The API of the service is not at ${address}, but at ${found}. Enter ${found} as the Base URL.`;
	const isWithin = to !== undefined && (parseUrl(to)?.origin ?? address) === new URL(address).origin;
	if (isWithin)
		return `The address leads to a web page (${to}), not to the API. ${CHECK_ADDRESS} If that is what you entered, ask the owner of the service where its API is.`;
	const hasWords =
		(kind === 'refused' || kind === 'failing') && failure !== undefined && 'told' in failure && failure.told !== '';
	const what = message.replace(/ \(HTTP \d+\)$|\.$/, '');
	return `${hasWords ? `The service says "${what}"` : what}. ${adviceOf(error)}`;
}

/**
 * Tests a credential: reads the account (spec, GET /api/account), or at least links, QR codes or campaigns, for keys may have rights
 * by resource. An error envelope fails it also with HTTP 200, and so does everything that is not this API.
 */
export async function testConnection(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	let connection: Connection | undefined;
	try {
		connection = connectionOf(data);
		const context = contextOf(this, data);
		try {
			const lacking = await tryOut(speakerOf(context, connection, mannerOfScreen()));
			const remark = lacking.length === 0 ? '' : ` This API Key has no right to: ${lacking.join(', ')}.`;
			return { status: 'OK', message: `Connection successful!${remark}` };
		} catch (error) {
			const text = await textOf(tooLate(error), context, connection);
			return { status: 'Error', message: connection.redact.text(text) };
		}
	} catch (error) {
		return { status: 'Error', message: error instanceof Error ? error.message : String(error) };
	}
}
