import type { IDataObject, IExecuteSingleFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { readParameter } from '../n8n/parameter';
import { decoded, parseUrl } from '../service/baseUrl';
import { ValueError } from '../service/answer/errors';
import { asFlag, isRecord } from '../service/records';
import { labelled } from './request';

export type HttpSettings = Pick<IHttpRequestOptions, 'proxy' | 'timeout' | 'skipSslCertificateValidation'>;

/** The longest time of a timer (ms): 24 days. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

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

/**
 * Reads the Request Options, which n8n adds to declarative nodes: those of the first row are the run's. Batching has no effect: the
 * node paces itself. @throws ValueError
 */
export function readRequestOptions(context: IExecuteSingleFunctions): HttpSettings {
	const given = readParameter(context, 'requestOptions');
	const { proxy, timeout, allowUnauthorizedCerts }: IDataObject = isRecord(given) ? given : {};
	return {
		...(proxy ? { proxy: labelled('Proxy', () => readProxy(String(proxy))) } : {}),
		...(Number(timeout) > 0 ? { timeout: Math.min(Math.ceil(Number(timeout)), LONGEST_TIMEOUT) } : {}),
		...(asFlag(allowUnauthorizedCerts) === true ? { skipSslCertificateValidation: true } : {}),
	};
}
