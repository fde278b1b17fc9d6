import type { IDataObject } from 'n8n-workflow';

import { ApiError } from '../api/apiError';
import { withoutError } from '../api/envelope';
import { accountLinksOf, readDetails } from './accountLinks';
import type { Item } from './item';

/** How often a deletion is sent whose answers are lost while the link stays. */
const MOST_TRIES = 3;

/**
 * Deletes a link. When the answer is lost, it is looked up: a link that is gone is deleted, one that is still there is deleted again.
 *
 * @returns the service's answer
 * @throws ApiError what the service refuses
 */
export async function deleteLink(item: Item, id: number): Promise<IDataObject> {
	for (let tries = 1; ; tries++) {
		const answer = await item.send({ method: 'DELETE', path: `/api/url/${id}/delete` }).catch((error: unknown) => {
			const isLost = error instanceof ApiError && error.kind === 'uncertain';
			// A refusal of a deletion that was sent before may mean that the one before came through.
			const isRefusedAgain = error instanceof ApiError && error.kind === 'rejected' && tries > 1;
			if (!isLost && !isRefusedAgain) throw error;
			return error;
		});
		if (!(answer instanceof ApiError)) {
			accountLinksOf(item).forget({ id });
			return withoutError(answer.body as IDataObject);
		}
		if ((await readDetails(item, id)) === undefined) {
			accountLinksOf(item).forget({ id });
			return { message: 'The link is gone. The answer to its deletion was lost.' };
		}
		if (answer.kind !== 'uncertain' || tries === MOST_TRIES) throw answer;
	}
}
