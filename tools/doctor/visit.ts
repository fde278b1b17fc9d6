/** One request after another to a service, at the pace that it allows. */
import { setTimeout as delay } from 'timers/promises';
import type { IDataObject } from 'n8n-workflow';
import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import { messageOf, read, type Answer, type RequestLine } from '../../nodes/LinkManagement/service/answer';
import { answerIn } from '../../nodes/LinkManagement/service/json';

export type Json = Record<string, unknown>;

/** An answer as it came. */
export interface Reply {
	status: number;
	headers: Record<string, unknown>;
	/** Undefined when the answer is no JSON object. */
	body?: Json;
	/** What the nodes take it for. */
	is: Answer['is'];
	isFailure: boolean;
	/** What it says in words; empty when it says nothing. */
	words: string;
	/** Whether it is a web page. */
	isPage: boolean;
	isEmpty: boolean;
}

export interface Credential {
	/** Without a slash or /api at its end. */
	baseUrl: string;
	key: string;
	/** What passes protection in front of the service. */
	headers?: Record<string, string>;
}

const LONGEST_ANSWER_MS = 120_000;
const WINDOW_MS = 60_000;
const MOST_REFUSALS = 5;
const REFUSED = 429;

export class Visit {
	private readonly client: AxiosInstance;

	private freeAt = 0;

	requests = 0;

	constructor(readonly credential: Credential) {
		this.client = axios.create({
			baseURL: credential.baseUrl,
			timeout: LONGEST_ANSWER_MS,
			maxRedirects: 0,
			responseType: 'text',
			transformResponse: (text: unknown) => text,
			validateStatus: () => true,
		});
	}

	/** Asks with the key, and waits where the service wants it. @throws Error when no answer comes */
	async ask(method: string, path: string, body?: Json, headers = this.credential.headers): Promise<Reply> {
		return await this.paced(method, path, body, { ...headers, Authorization: `Bearer ${this.credential.key}` });
	}

	/** What is at a path; empty where that is no JSON object. */
	async read(path: string): Promise<Json> {
		return (await this.ask('GET', path)).body ?? {};
	}

	/** Asks without the key; without the user's header, too, unless it is given. */
	async askOpenly(path: string, headers: Record<string, string> = {}): Promise<Reply> {
		return await this.paced('GET', path, undefined, headers);
	}

	private async paced(method: string, url: string, data: Json | undefined, given: Record<string, string>) {
		const headers = { 'Content-Type': 'application/json', ...given };
		for (let refusals = 0; ; refusals++) {
			if (this.freeAt > Date.now()) await delay(this.freeAt - Date.now());
			this.requests++;
			const reply = replyOf(await this.client.request<string>({ method, url, data, headers }), { method, path: url });
			const { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset } = reply.headers;
			const isRefused = reply.status === REFUSED || Number(reply.body?.error) === REFUSED;
			if (isRefused || remaining === '0') this.freeAt = Date.now() + untilReset(reset, reply);
			if (!isRefused || refusals === MOST_REFUSALS) return reply;
		}
	}
}

function replyOf({ status, headers: sent, data }: AxiosResponse<string>, request: RequestLine): Reply {
	const text = String(data ?? '');
	const isPage = /<html|<!doctype|<script/i.test(text.slice(0, 2000));
	const headers = sent as Record<string, unknown>;
	const { body } = parsed(text);
	const { is } = read({ statusCode: status, headers, body: body ?? text }, request);
	const words = body === undefined ? '' : messageOf(body as IDataObject);
	return { status, headers, body, is, isFailure: is !== 'done', words, isPage, isEmpty: text.trim() === '' };
}

function parsed(text: string): { body?: Json } {
	const body = answerIn(text);
	return isJson(body) ? { body } : {};
}

export function isJson(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Milliseconds until the service takes requests again: by its reset, by Retry-After, or a whole window. */
function untilReset(reset: unknown, { headers, body }: Reply): number {
	const after = Number(headers['retry-after'] ?? body?.['Retry-After'] ?? NaN);
	if (Number.isFinite(after)) return (after + 1) * 1000;
	const text = String(reset ?? '');
	const figure = Number(text);
	const at = /^\d+$/.test(text) ? (figure > 1e12 ? figure : figure * 1000) : Date.parse(text);
	const wait = at - Date.now() + 1000;
	return wait > 0 && wait <= 10 * WINDOW_MS ? wait : WINDOW_MS;
}
