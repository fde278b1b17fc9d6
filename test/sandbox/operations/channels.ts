import {
	deleting,
	done,
	found,
	optionalText,
	ServiceError,
	text,
	unknown,
	type Operating,
	type Operations,
} from '../operation';
import { ITEM_COLLECTIONS, type ItemType, type Store, type StoredChannel } from '../records';
import { keptName, refuseShortName } from './campaigns';

/** Makes an item part of a channel; it is so once. */
export function addToChannel(channel: StoredChannel, type: ItemType, id: number): void {
	if (!channel.items.some((item) => item.type === type && item.id === id)) channel.items.push({ type, id });
}

/** Takes an item out of all channels. */
export function leaveChannels(store: Store, type: ItemType, id: number): void {
	for (const channel of store.channels.all())
		channel.items = channel.items.filter((item) => item.type !== type || item.id !== id);
}

/** The channel that a link is part of, if any. */
export function channelOf(store: Store, link: number): number | null {
	return store.channels.find(({ items }) => items.some(({ type, id }) => type === 'links' && id === link))?.id ?? null;
}

export function channelOperations({ store, base, behavior, pages, shortUrl }: Operating): Operations {
	const itemOf = ({ type, id }: { type: ItemType; id: number }) => store.collection(ITEM_COLLECTIONS[type]).get(id);

	const itemRecord = (item: { type: ItemType; id: number }): Record<string, unknown> => {
		const record = itemOf(item)!;
		const path = `${item.type}/${item.id}`;
		const link =
			'alias' in record ? shortUrl(record) : 'code' in record ? `${base}/qr/${record.code}` : `${base}/${path}`;
		const title = 'title' in record ? record.title : record.name;
		return { ...item, title, preview: `${base}/preview/${path}`, link, date: record.date.slice(0, 10) };
	};

	const recordOf = ({ items: _items, ...channel }: StoredChannel): Record<string, unknown> => channel;

	const refuseWrongName = (name: string, ownId?: number): void => {
		refuseShortName(name, behavior);
		if (!behavior.uniqueNames) return;
		if (store.channels.find((channel) => channel.name === name && channel.id !== ownId)) {
			throw new ServiceError('You already have a channel with this name.', 'duplicate');
		}
	};

	return {
		channelGetAll: (call) => pages.list('channels', store.channels, 'id', call, recordOf),
		channelGetItems: (call) => {
			const items = found(store, 'channels', call.params.id).items.filter((item) => itemOf(item) !== undefined);
			return pages.all('items', items.reverse(), call, itemRecord);
		},
		channelCreate: ({ body }) => {
			const name = keptName(text(body.name), behavior);
			refuseWrongName(name);
			const description = optionalText(body.description) ?? '';
			const color = optionalText(body.color) ?? '#000000';
			const channel = store.create('channels', { name, description, color, starred: body.starred === true }, 'api');
			return { error: 0, ...recordOf(channel) };
		},
		channelAssignItem: ({ params }) => {
			const channel = found(store, 'channels', params.channelid);
			const type = text(params.type);
			if (type !== 'links' && type !== 'qr' && type !== 'bio') throw new ServiceError('Invalid item type.');
			const id = Number(params.itemid);
			if (itemOf({ type, id }) === undefined) throw unknown('Item');
			addToChannel(channel, type, id);
			return done('Item successfully added to the channel.');
		},
		channelUpdate: ({ params, body }) => {
			const channel = found(store, 'channels', params.id);
			const name = keptName(optionalText(body.name) ?? channel.name, behavior);
			refuseWrongName(name, channel.id);
			channel.name = name;
			channel.description = optionalText(body.description) ?? channel.description;
			channel.color = optionalText(body.color) ?? channel.color;
			if (body.starred !== undefined) channel.starred = body.starred === true;
			return behavior.channelUpdateReply === 'channel'
				? { error: 0, ...recordOf(channel) }
				: done('Channel has been updated successfully.');
		},
		channelDelete: deleting(store, 'channels'),
	};
}
