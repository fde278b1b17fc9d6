import type { IDataObject, IExecuteSingleFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { parseUrl } from '../service/baseUrl';
import { asFlag, isRecord } from '../service/records';
import { readParameter } from '../n8n/parameter';
import { withLabel } from './request';
import { ValueError } from '../service/errors';

/** What every request of an item keeps to. */
export type RequestSettings = Pick<IHttpRequestOptions, 'proxy' | 'timeout' | 'skipSslCertificateValidation'>;

/** The Request Options that n8n gives every node whose requests it knows. */
function read(context: IExecuteSingleFunctions): IDataObject {
	const given = readParameter(context, 'requestOptions');
	return isRecord(given) ? given : {};
}

/** A proxy as it is entered: `http://user:password@host:port`. */
function readProxy(text: string): IHttpRequestOptions['proxy'] {
	const url = parseUrl(text);
	if (url === undefined || url.hostname === '') {
		throw new ValueError('is not a web address', 'Enter it as http://host:port, for example http://10.0.0.1:3128.');
	}
	const { protocol, hostname: host, port } = url;
	const [username, password] = [url.username, url.password].map(decodeURIComponent);
	return {
		protocol: protocol.replace(':', ''),
		host,
		// A URL leaves out the usual one of its scheme.
		port: Number(port || (protocol === 'https:' ? 443 : 80)),
		...(username === '' ? {} : { auth: { username, password } }),
	};
}

/** Reads the Request Options of an item, Batching aside. */
export function readSettings(context: IExecuteSingleFunctions): RequestSettings {
	const { proxy, timeout, allowUnauthorizedCerts } = read(context);
	return {
		...(proxy ? { proxy: withLabel('Proxy', () => readProxy(String(proxy))) } : {}),
		...(Number(timeout) > 0 ? { timeout: Number(timeout) } : {}),
		...(asFlag(allowUnauthorizedCerts) === true ? { skipSslCertificateValidation: true } : {}),
	};
}

/** Reads the Batching of a run, which n8n takes from its first item: so many rows at once, so far apart (ms). */
export function readBatching(context: IExecuteSingleFunctions): { size: number; interval: number } | undefined {
	const { batching } = read(context);
	if (!isRecord(batching) || !isRecord(batching.batch)) return undefined;
	const [size, interval] = [batching.batch.batchSize, batching.batch.batchInterval].map(Number);
	return interval > 0 ? { size: size > 0 ? size : 1, interval } : undefined;
}
