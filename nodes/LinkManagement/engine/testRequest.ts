import type { ICredentialTestFunctions, IHttpRequestOptions } from 'n8n-workflow';

/**
 * What sends a request in a credential's test, as nodes send theirs: n8n gives such a test its oldest way alone, which has other
 * names for the same things (read in n8n-core 2.0.2 and 2.41.1). It follows no redirect.
 */
export function requestOfTest(context: ICredentialTestFunctions) {
	return async ({ method, baseURL = '', url, qs, headers, timeout }: IHttpRequestOptions): Promise<unknown> => {
		const { helpers } = context;
		return (await helpers.request({
			...{ method, uri: `${baseURL}${url}`, qs, headers, timeout },
			useStream: true,
			simple: false,
			followRedirect: false,
			followAllRedirects: false,
			resolveWithFullResponse: true,
		})) as unknown;
	};
}
