import { asText, idOf } from '../../api/records';
import { listCreation } from '../../execution/listCreation';
import { listSearch } from '../../execution/listSearch';

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
});
