import { done, known, optionalText, ServiceError, text, unknown, type Operating, type Operations } from '../operation';
import { refuseShortName } from './campaigns';
import type { ItemType, Store, StoredChannel } from '../records';

const ITEM_COLLECTIONS = { links: 'links', qr: 'qrs', bio: 'bios' } as const;

/** Makes an item part of a channel; it is so once. */
export function addToChannel(channel: StoredChannel, type: ItemType, id: number): void {
	if (!channel.items.some((item) => item.type === type && item.id === id)) channel.items.push({ type, id });
}

/** The channel that a link is part of, if any. */
export function channelOf(store: Store, link: number): number | null {
	return store.channels.find(({ items }) => items.some(({ type, id }) => type === 'links' && id === link))?.id ?? null;
}

export function channelOperations({ store, base, behaviour, pages, shortUrl }: Operating): Operations {
	const itemExists = (type: ItemType, id: number): boolean =>
		store.collection(ITEM_COLLECTIONS[type]).get(id) !== undefined;

	const itemRecord = (type: ItemType, id: number): Record<string, unknown> => {
		const record = known(store.collection(ITEM_COLLECTIONS[type]).get(id), 'Item');
		const link =
			'alias' in record ? shortUrl(record) : 'code' in record ? `${base}/qr/${record.code}` : `${base}/bio-${id}`;
		return {
			type,
			id,
			title: 'title' in record ? record.title : record.name,
			preview: `${base}/preview/${type}/${id}`,
			link,
			date: record.date.slice(0, 10),
		};
	};

	const recordOf = ({ id, name, description, color, starred }: StoredChannel): Record<string, unknown> => ({
		id,
		name,
		description,
		color,
		starred,
	});

	const refuseWrongName = (name: string, ownId?: number): void => {
		refuseShortName(name, behaviour);
		if (!behaviour.uniqueNames) return;
		if (store.channels.find((channel) => channel.name === name && channel.id !== ownId)) {
			throw new ServiceError('You already have a channel with this name.', 'duplicate');
		}
	};

	return {
		channelGetAll: (call) => pages.list('channels', store.channels, 'id', call, recordOf),
		channelGetItems: (call) => {
			const channel = known(store.channels.get(Number(call.params.id)), 'Channel');
			const items = channel.items.filter(({ type, id }) => itemExists(type, id)).reverse();
			return pages.page('items', call, {
				result: items.length,
				slice: (offset, size) => items.slice(offset, offset + size),
				record: ({ type, id }) => itemRecord(type, id),
			});
		},
		channelCreate: ({ body }) => {
			const name = text(body.name);
			refuseWrongName(name);
			const description = optionalText(body.description) ?? '';
			const color = optionalText(body.color) ?? '#000000';
			const channel = store.create('channels', { name, description, color, starred: body.starred === true }, 'api');
			return { error: 0, ...recordOf(channel) };
		},
		channelAssignItem: ({ params }) => {
			const channel = known(store.channels.get(Number(params.channelid)), 'Channel');
			const type = text(params.type);
			if (type !== 'links' && type !== 'qr' && type !== 'bio') throw new ServiceError('Invalid item type.');
			const id = Number(params.itemid);
			if (!itemExists(type, id)) throw unknown('Item');
			addToChannel(channel, type, id);
			return done('Item successfully added to the channel.');
		},
		channelUpdate: ({ params, body }) => {
			const channel = known(store.channels.get(Number(params.id)), 'Channel');
			const name = optionalText(body.name) ?? channel.name;
			refuseWrongName(name, channel.id);
			channel.name = name;
			channel.description = optionalText(body.description) ?? channel.description;
			channel.color = optionalText(body.color) ?? channel.color;
			if (body.starred !== undefined) channel.starred = body.starred === true;
			return behaviour.channelUpdateReply === 'channel'
				? { error: 0, ...recordOf(channel) }
				: done('Channel has been updated successfully.');
		},
		channelDelete: ({ params }) => {
			if (!store.delete('channels', Number(params.id), 'api')) throw unknown('Channel');
			return done('Channel has been deleted successfully.');
		},
	};
}
