import type { IDataObject, IExecuteSingleFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { readParameter } from '../n8n/parameter';
import { decoded, parseUrl } from '../service/baseUrl';
import { ValueError } from '../service/errors';
import { asFlag, isBlank, isRecord } from '../service/records';
import { labelled } from './request';

/** n8n's settings for every request of a row. */
export type HttpSettings = Pick<IHttpRequestOptions, 'proxy' | 'timeout' | 'skipSslCertificateValidation'>;

/** Rows per batch, and the pause between batches (ms). */
export interface Batching {
	size: number;
	interval: number;
}

/** The Request Options of a row, which n8n adds to declarative nodes. */
export interface RequestOptions {
	http: HttpSettings;
	batching?: Batching;
}

/** The longest time of a timer (ms): 24 days. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

function readTimeout(value: unknown): number {
	const milliseconds = Number(value);
	if (milliseconds > 0) return Math.min(Math.ceil(milliseconds), LONGEST_TIMEOUT);
	throw new ValueError(`is not a number of milliseconds: ${String(value)}`, 'Enter a number such as 30000.');
}

/** Parses a proxy: `http://user:password@host:port`. */
function readProxy(text: string): IHttpRequestOptions['proxy'] {
	const url = parseUrl(text);
	if (url === undefined || url.hostname === '') {
		throw new ValueError('is not a web address', 'Enter it as http://host:port, for example http://10.0.0.1:3128.');
	}
	const { protocol, hostname: host, port } = url;
	const [username, password] = [url.username, url.password].map(decoded);
	return {
		protocol: protocol.replace(':', ''),
		host,
		// A URL leaves out the default port of its scheme.
		port: Number(port || (protocol === 'https:' ? 443 : 80)),
		...(username === '' ? {} : { auth: { username, password } }),
	};
}

function readBatching(batching: unknown): Batching | undefined {
	if (!isRecord(batching) || !isRecord(batching.batch)) return undefined;
	const [size, interval] = [batching.batch.batchSize, batching.batch.batchInterval].map(Number);
	return interval > 0 ? { size: size > 0 ? size : 1, interval } : undefined;
}

/** Reads the Request Options of a row. @throws ValueError */
export function readRequestOptions(context: IExecuteSingleFunctions): RequestOptions {
	const given = readParameter(context, 'requestOptions');
	const { proxy, timeout, allowUnauthorizedCerts, batching }: IDataObject = isRecord(given) ? given : {};
	return {
		http: {
			...(proxy ? { proxy: labelled('Proxy', () => readProxy(String(proxy))) } : {}),
			...(isBlank(timeout) || timeout === 0 ? {} : { timeout: labelled('Timeout', () => readTimeout(timeout)) }),
			...(asFlag(allowUnauthorizedCerts) === true ? { skipSslCertificateValidation: true } : {}),
		},
		batching: readBatching(batching),
	};
}
