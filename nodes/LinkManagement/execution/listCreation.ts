import { NodeOperationError, type IDataObject, type ILoadOptionsFunctions } from 'n8n-workflow';

import { ApiError } from '../api/apiError';
import { connect } from '../api/connection';
import { toNodeError } from '../api/nodeError';
import { idOf } from '../api/records';
import { sendRequest } from '../api/sendRequest';

/** A record that can be created from the dropdown that does not list it yet. */
export interface ListCreation {
	/** As it is called in a sentence. */
	noun: string;
	/** Spec, "Endpoints". */
	path: string;
	/**
	 * The body of the creation.
	 *
	 * @returns undefined when nothing can be made of what was typed
	 */
	body(typed: string): IDataObject | undefined;
	/** What to type, for the error that says so. */
	example: string;
	/** What the dropdown chooses then: the new record's ID unless stated. */
	value?(body: IDataObject): string;
}

/**
 * Makes the handler with which a dropdown creates what was typed into its search. n8n calls it for the entry that
 * `allowNewResource` adds, and chooses what it returns; engines that don't know that show no such entry.
 *
 * @returns a method for `methods.actionHandler`; it throws the service's message when the record is refused
 */
export function listCreation({ noun, path, body: bodyOf, example, value }: ListCreation) {
	return async function (
		this: ILoadOptionsFunctions,
		payload: IDataObject | string | undefined,
	): Promise<number | string> {
		const typed = String((typeof payload === 'object' ? payload.name : payload) ?? '').trim();
		const body = typed === '' ? undefined : bodyOf(typed);
		if (body === undefined) {
			throw new NodeOperationError(this.getNode(), `There is no name for the new ${noun}`, {
				description: `Type it into the search first, for example ${example}.`,
			});
		}
		try {
			const manner = { caller: {}, interactive: true };
			const answer = await sendRequest(this, await connect(this), { method: 'POST', path, body }, manner);
			const made = answer.body as IDataObject;
			const id = idOf(made);
			if (id === undefined) {
				const message = typeof made.message === 'string' && made.message !== '' ? made.message : undefined;
				throw new ApiError(
					'rejected',
					message ?? `The service did not say that it made the ${noun}`,
					'Look for it in the list, or at the service.',
				);
			}
			return value?.(body) ?? id;
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	};
}
