import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { connect } from '../api/connection';
import { readList } from '../api/list';
import { asText } from '../api/records';
import { sendRequest, type ServiceRequest } from '../api/sendRequest';
import { toNodeError } from '../api/nodeError';
import { idOf, type ServiceRecord } from '../watch';

/** Entries of a list to choose from, at most. */
const MOST_CHOICES = 1000;

interface Choices {
	path: string;
	collection: string;
	query?: { order: string };
	name(record: ServiceRecord): unknown;
}

function choicesOf({ path, collection, query, name }: Choices) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const caller = {};
		const choices = new Map<number, INodePropertyOptions>();
		try {
			const connection = await connect(this);
			const { address } = connection;
			const send = async (request: ServiceRequest) =>
				await sendRequest(this, connection, request, { caller, interactive: true });
			for (const record of await readList({ path, collection, query, address, send }, MOST_CHOICES)) {
				const value = idOf(record);
				if (value !== undefined) choices.set(value, { name: asText(name(record) || value), value });
			}
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
		return [...choices.values()];
	};
}

/** Lists for the parameters that name selected records. */
export const choices = {
	getLinks: choicesOf({
		path: '/api/urls',
		collection: 'urls',
		query: { order: 'date' },
		name: ({ title, shorturl, alias }) => [title, shorturl ?? alias].filter(Boolean).join(' – '),
	}),
	getQrCodes: choicesOf({ path: '/api/qr', collection: 'qrs', name: ({ name, link }) => name || link }),
};
