import { listSearch } from '../../service/listSearch';

/** Channels for a dropdown. */
export const searchChannels = listSearch({
	path: '/api/channels',
	collection: 'channels',
	entry: ({ id, name }) => ({ name: String(name || id), value: Number(id) }),
});
