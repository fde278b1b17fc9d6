import { asText, idOf } from '../../api/records';
import { listCreation, listSearch, shownName } from '../../account/dropdown';

/** Channels for a dropdown. */
export const searchChannels = listSearch({
	path: '/api/channels',
	collection: 'channels',
	entry(channel) {
		const value = idOf(channel);
		return value === undefined ? undefined : { name: asText(channel.name || value), value };
	},
});

/** Creates a channel from its dropdown. */
export const createChannel = listCreation({
	noun: 'channel',
	path: '/api/channel/add',
	body: (name) => ({ name }),
	example: 'Press',
	value: shownName,
});
