import { readFileSync } from 'fs';
import { join } from 'path';
import { OpenAPIBackend, type Document, type Operation } from 'openapi-backend';
import { parse } from 'yaml';
import type { Dialect } from './dialect';

const CONTRACT_PATH = join(__dirname, '..', 'contract', 'openapi.yaml');

/** One endpoint of the contract. */
export interface Endpoint {
	operationId: string;
	/** GET, POST, PUT or DELETE. */
	method: string;
	/** With parameters in braces, as in the contract: /api/url/{id}. */
	path: string;
	/** The name of the list in a list response, when it is one. */
	collection?: string;
	takesBody: boolean;
	/** Services offer it, and the document leaves it out. */
	leftOut: boolean;
	/** A successful answer, where the contract gives one: what the sandbox says when it has no behavior for the operation. */
	example?: Record<string, unknown>;
	operation: Operation<Document>;
}

/** A request as the contract sees it. */
interface ContractRequest {
	path: string;
	headers: Record<string, string>;
	query: Record<string, string | string[]>;
	/** The parsed JSON body; undefined when none was sent. */
	body: unknown;
}

/** What the contract says of a request. */
interface RequestCheck {
	violations: string[];
	/** Query parameters, numbers as numbers; meaningful without violations only. */
	query: Record<string, unknown>;
}

/** The service's specification, with validators for requests, and for responses in either dialect. */
export class Contract {
	readonly endpoints: Endpoint[];

	private constructor(
		private readonly document: OpenAPIBackend,
		private readonly field: OpenAPIBackend,
	) {
		this.endpoints = document.router.getOperations().map((operation) => {
			const collection: unknown = Reflect.get(operation, 'x-collection');
			return {
				operationId: operation.operationId ?? '',
				method: operation.method.toUpperCase(),
				path: operation.path,
				...(typeof collection === 'string' ? { collection } : {}),
				takesBody: operation.requestBody !== undefined,
				leftOut: Reflect.get(operation, 'x-left-out') === true,
				...exampleOf(operation),
				operation,
			};
		});
	}

	/** Takes a valid OpenAPI document. */
	static async of(definition: Document): Promise<Contract> {
		const [document, field] = await Promise.all([prepare(definition), prepare(withFieldForms(definition))]);
		return new Contract(document, field);
	}

	/** Checks a request against its endpoint: path, query and body. */
	checkRequest(endpoint: Endpoint, request: ContractRequest): RequestCheck {
		const violations: string[] = [];
		const hasFields = request.body !== undefined && JSON.stringify(request.body) !== '{}';
		if (!endpoint.takesBody && hasFields) violations.push('body: this endpoint takes none');
		if (endpoint.takesBody && hasFields) {
			if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
				violations.push('header Content-Type: must be application/json');
			}
			if (typeof request.body !== 'object' || request.body === null || Array.isArray(request.body)) {
				violations.push('body: must be a JSON object');
			}
		}
		const result = this.document.validator.validateRequest(
			{
				method: endpoint.method,
				path: request.path,
				headers: request.headers,
				query: request.query,
				body: endpoint.takesBody ? request.body : undefined,
			},
			endpoint.operation,
		);
		violations.push(...(result.errors ?? []).map(describe));
		const { query = {} } = (result.coerced ?? {}) as { query?: Record<string, unknown> };
		return { violations, query };
	}

	/**
	 * Checks a response body, success or error envelope, against its endpoint: against the document's forms, or against
	 * those and the field's.
	 * @returns the violations
	 */
	checkResponse(endpoint: Endpoint, dialect: Dialect, status: number, body: unknown): string[] {
		const { validator } = this[dialect];
		const result = validator.validateResponse(body, endpoint.operationId, status);
		return (result.errors ?? []).map(describe);
	}
}

/**
 * Compiles a validator when it is first used, and takes the document as valid: sandbox.test.ts checks all of it, and every other
 * test needs a few endpoints alone.
 */
async function prepare(definition: Document): Promise<OpenAPIBackend> {
	const api = new OpenAPIBackend({ definition, quick: true, coerceTypes: true, ajvOpts: { validateSchema: false } });
	await api.init();
	return api;
}

/** Lets each schema with `x-field` take the field's form besides its own. */
export function withFieldForms(definition: Document): Document {
	return withFieldForm(definition) as Document;
}

function withFieldForm(node: unknown): unknown {
	if (Array.isArray(node)) return node.map(withFieldForm);
	if (typeof node !== 'object' || node === null) return node;
	const { 'x-field': field, ...own } = Object.fromEntries(
		Object.entries(node).map(([key, value]) => [key, withFieldForm(value)]),
	);
	return field === undefined ? own : { anyOf: [own, field] };
}

function exampleOf({ responses = {} }: Operation<Document>): Pick<Endpoint, 'example'> {
	const { content = {} } = (responses['200'] ?? {}) as {
		content?: Record<string, { example?: Record<string, unknown> }>;
	};
	const example = content['application/json']?.example;
	return example === undefined ? {} : { example };
}

function describe(error: { instancePath: string; message?: string; params?: unknown }): string {
	const place = error.instancePath.replace(/^\/requestBody/, 'body') || 'request';
	return `${place}: ${error.message ?? 'invalid'} ${JSON.stringify(error.params ?? {})}`;
}

/** Reads test/contract/openapi.yaml. */
export function readContract(): Document {
	return parse(readFileSync(CONTRACT_PATH, 'utf8'), { merge: true }) as Document;
}

/** Files of tests that run in one process share its globals. */
const kept = globalThis as typeof globalThis & { contract?: Promise<Contract> };

/** The contract, read once a process. */
export async function loadContract(): Promise<Contract> {
	return await (kept.contract ??= Contract.of(readContract()));
}
