import { webUrl } from '../../fields/addresses';
import { additionalFields, updateFields } from '../../fields/collections';
import { textField } from '../../fields/inputs';
import { domainId } from '../../fields/locators';
import type { ResourceDefinition } from '../../fields/operation';
import { change, creation, deletion, getMany } from '../../fields/standardOperations';
import { LISTS } from '../../service/endpoints';

const url = textField('Domain', 'domain', {
	required: true,
	placeholder: 'e.g. https://go.example.com',
	description: 'The domain, with https:// or http://. Its DNS must already point to the service.',
	parser: webUrl,
});

/** Where a branded domain leads without a short link. */
const redirects = [
	textField('Not Found Redirect URL', 'redirect404', {
		placeholder: 'e.g. https://example.com/not-found',
		description: 'Where unknown short links lead',
		parser: webUrl,
	}),
	textField('Root Redirect URL', 'redirectroot', {
		placeholder: 'e.g. https://example.com',
		description: 'Where the bare domain leads',
		parser: webUrl,
	}),
];

const create = creation('a branded domain', '/api/domain/add', [url, additionalFields('domain', redirects)], {
	description: 'Add a branded domain to use for short links',
});
const remove = deletion('a branded domain', '/api/domain/:domainId/delete', domainId);
const getAll = getMany('branded domains', LISTS.domains);
const changed = [domainId, updateFields('domain', redirects)];
const update = change('a branded domain', '/api/domain/:domainId/update', changed, {
	description: 'Change the redirects of a branded domain',
	needsChange: true,
});

export const domain: ResourceDefinition = {
	value: 'domain',
	name: 'Domain',
	description: 'Branded domains',
	operations: [create, remove, getAll, update],
};
