import axios, { type AxiosInstance } from 'axios';
import type { Sandbox } from '.';

/** Speaks to a sandbox with its key, and takes every answer as it comes: errors and redirects too. */
export function clientOf({ url, apiKey }: Pick<Sandbox, 'url' | 'apiKey'>): AxiosInstance {
	return axios.create({
		baseURL: url,
		headers: { Authorization: `Bearer ${apiKey}` },
		validateStatus: () => true,
		maxRedirects: 0,
	});
}
