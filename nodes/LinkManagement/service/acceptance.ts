import type { RequestLine } from './answer';
import type { ApiError } from './errors';
import type { Learned } from './learned';

/** What was refused is asked for again after this time (ms): a little less than a minute, so that polls of each minute try. */
const REFUSAL_HOLDS = 55_000;

/** An endpoint by its path, whatever the record. */
const endpointOf = ({ method, path }: RequestLine) => `${method} ${path.replace(/\/\d+/g, '/:id')}`;

/** What a service has accepted from this key, and what it has refused a moment ago: the key, or a list that has never answered. */
export class Acceptance {
	constructor(private readonly learned: Learned) {}

	/** The service has given a proper answer: a later failure is not due to the Base URL. */
	get isKnown(): boolean {
		return this.answered('the key').recall() === true;
	}

	private answered(what: string) {
		return this.learned.fact<boolean>(`${what} was answered`);
	}

	private refusal(of: string) {
		return this.learned.fact<ApiError | undefined>(`refusal of ${of}`);
	}

	/** Why a request would be refused again. */
	refusalOf(request: RequestLine): ApiError | undefined {
		return this.refusal('the key').recall() ?? this.refusal(endpointOf(request)).recall();
	}

	/** Whether another request to the same endpoint may be allowed: this one is about a record, or the endpoint has answered before. */
	private mayBeOfRow(request: RequestLine): boolean {
		const isOfRecord = request.method !== 'GET' || /\/\d/.test(request.path);
		return isOfRecord ? this.isKnown : this.answered(endpointOf(request)).recall() === true;
	}

	/** Notes an answer. @param failure undefined for a success */
	note(request: RequestLine, failure?: ApiError): void {
		const endpoint = endpointOf(request);
		if (failure === undefined) {
			for (const what of ['the key', endpoint]) this.answered(what).remember(true);
			this.refusal('the key').remember(undefined);
		} else if (failure.affects === 'key') this.refusal('the key').remember(failure, REFUSAL_HOLDS);
		else if (failure.kind === 'forbidden' && !this.mayBeOfRow(request))
			this.refusal(endpoint).remember(failure, REFUSAL_HOLDS);
	}
}
