import { asText } from '../../api/records';
import { byId, listCreation, listSearch } from '../../account/dropdown';

/** Channels for a dropdown. */
export const searchChannels = listSearch({
	path: '/api/channels',
	collection: 'channels',
	entry: byId(({ name }, id) => ({ name: asText(name || id) })),
});

/** Creates a channel from its dropdown. */
export const createChannel = listCreation({
	noun: 'channel',
	path: '/api/channel/add',
	example: 'Press',
});
