import { updateFields } from '../../fields/collections';
import { textField } from '../../fields/inputs';
import { pixelId } from '../../fields/locators';
import type { ResourceDefinition } from '../../fields/operation';
import { chosen, text } from '../../fields/parsers';
import { change, creation, deletion, getMany } from '../../fields/standardOperations';
import { type Field, required } from '../../run/request';
import { LISTS } from '../../service/endpoints';

const name = textField('Name', 'name', { placeholder: 'e.g. Shop' });

const tag = textField('Tag', 'tag', {
	required: true,
	placeholder: 'e.g. GTM-ABC123',
	description: 'ID of the pixel at its provider',
});

/** Known types. Services may have others, so an expression may give any. */
const types = [
	{ name: 'AdRoll', value: 'adrollpixel' },
	{ name: 'Bing', value: 'bing' },
	{ name: 'Facebook', value: 'fbpixel' },
	{ name: 'Google Ads', value: 'adwordspixel' },
	{ name: 'Google Analytics', value: 'gapixel' },
	{ name: 'Google Tag Manager', value: 'gtmpixel' },
	{ name: 'LinkedIn', value: 'linkedinpixel' },
	{ name: 'Pinterest', value: 'pinterest' },
	{ name: 'Quora', value: 'quorapixel' },
	{ name: 'Reddit', value: 'reddit' },
	{ name: 'Snapchat', value: 'snapchat' },
	{ name: 'TikTok', value: 'tiktok' },
	{ name: 'Twitter (X)', value: 'twitterpixel' },
];

const pixelType: Field = {
	displayName: 'Pixel Type',
	name: 'pixelType',
	type: 'options',
	options: types,
	allowArbitraryValues: true,
	default: 'gtmpixel',
	description: 'Provider of the pixel. For another type that your service has, use an expression.',
	parser: required((given, origin) => {
		const name = text(given, origin);
		return chosen(types, name) ?? name;
	}),
};

const create = creation('a tracking pixel', '/api/pixel/add', [pixelType, { ...name, required: true }, tag], {
	description: 'Create a tracking pixel for short links',
	complete(request) {
		const { pixelType: type, ...others } = request.body;
		request.body = { type, ...others };
	},
});
const remove = deletion('a tracking pixel', '/api/pixel/:pixelId/delete', pixelId);
const getAll = getMany('tracking pixels', LISTS.pixels);
const newTag = { ...tag, description: 'New ID of the pixel at its provider, or the present one' };
const changed = [pixelId, newTag, updateFields('pixel', [name])];
const update = change('a tracking pixel', '/api/pixel/:pixelId/update', changed, {
	description: 'Change the tag or the name of a tracking pixel. The tag is always required.',
});

export const pixel: ResourceDefinition = {
	value: 'pixel',
	name: 'Pixel',
	description: 'Tracking pixels',
	operations: [create, remove, getAll, update],
};
