import type { IDataObject, IExecuteSingleFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { parseUrl } from '../service/baseUrl';
import { isRecord } from '../service/records';
import { readParameter } from '../n8n/parameter';
import { named } from './request';
import { ValueError } from '../service/errors';

/** What every request of an item keeps to. */
export type RequestSettings = Pick<IHttpRequestOptions, 'proxy' | 'timeout' | 'skipSslCertificateValidation'>;

/** How the node starts its items: so many at once, so far apart (ms). */
export interface Batching {
	size: number;
	interval: number;
}

/** The Request Options that n8n gives every node whose requests it knows. */
function read(context: IExecuteSingleFunctions): IDataObject {
	const given = 'requestOptions' in context.getNode().parameters ? readParameter(context, 'requestOptions') : {};
	return isRecord(given) ? given : {};
}

/** A proxy as it is entered: `http://user:password@host:port`. */
function readProxy(text: string): IHttpRequestOptions['proxy'] {
	const [, protocol = ''] = /^([a-z][\w+.-]*):/i.exec(text) ?? [];
	// In place of a scheme whose usual port the URL would leave out.
	const url = parseUrl(`proxy${text.slice(protocol.length)}`);
	if (protocol === '' || url === undefined || url.hostname === '' || url.port === '') {
		throw new ValueError(
			'is not a web address with a port',
			'Enter it as http://host:port, for example http://10.0.0.1:3128.',
		);
	}
	const [username, password] = [url.username, url.password].map(decodeURIComponent);
	return {
		host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
		port: Number(url.port),
		protocol,
		...(username === '' ? {} : { auth: { username, password } }),
	};
}

/**
 * Reads the Request Options of an item, Batching aside.
 *
 * @throws ValueError for a proxy that is none
 */
export function readSettings(context: IExecuteSingleFunctions): RequestSettings {
	const { proxy, timeout, allowUnauthorizedCerts } = read(context);
	return {
		...(proxy ? { proxy: named('Proxy', () => readProxy(String(proxy))) } : {}),
		...(Number(timeout) > 0 ? { timeout: Number(timeout) } : {}),
		...(allowUnauthorizedCerts ? { skipSslCertificateValidation: true } : {}),
	};
}

/** Reads the Batching of a run, which n8n takes from its first item. */
export function readBatching(context: IExecuteSingleFunctions): Batching | undefined {
	const { batching } = read(context);
	if (!isRecord(batching) || !isRecord(batching.batch)) return undefined;
	const [size, interval] = [batching.batch.batchSize, batching.batch.batchInterval].map(Number);
	return interval > 0 ? { size: size > 0 ? size : 1, interval } : undefined;
}
