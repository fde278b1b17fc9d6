/**
 * What saved workflows depend on: the names of resources, operations and parameters. A change here that takes away or renames
 * breaks the workflows of users; additions are welcome.
 */
import { NodeHelpers, type INodeParameters, type INodeProperties, type INodePropertyCollection, type INodePropertyOptions } from 'n8n-workflow';

import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { resources } from '../../nodes/LinkManagement/resources';

const { description } = new LinkManagement();

/** The parameters that the editor shows, in its order. */
function shown(parameters: INodeParameters): INodeProperties[] {
	return description.properties.filter(({ name, ...property }) =>
		NodeHelpers.displayParameter(parameters, { name, ...property } as INodeProperties, { typeVersion: 1 }, description),
	);
}

/** Names of the entries of a collection that the editor offers; those of a fixed collection as group.field/field. */
function entries(collection: INodeProperties, parameters: INodeParameters): string[] {
	return ((collection.options ?? []) as INodeProperties[])
		.filter((entry) => NodeHelpers.displayParameter(parameters, entry, { typeVersion: 1 }, description, parameters))
		.map((entry) => entry.name + groups(entry));
}

function groups({ type, options }: INodeProperties): string {
	if (type !== 'fixedCollection') return '';
	return (options as INodePropertyCollection[]).map(({ name, values }) => `.${name}.${values.map((value) => value.name).join('/')}`).join();
}

/** An operation's parameters as one line each: name, and in brackets what a collection holds. */
function outline(resource: string, operation: string, more: INodeParameters = {}): string[] {
	const parameters = { resource, operation, returnAll: false, ...more };
	return shown(parameters)
		.filter(({ name }) => name !== 'resource' && name !== 'operation')
		.map((field) => (field.type === 'collection' ? `${field.name}[${entries(field, parameters).join(' ')}]` : field.name + groups(field)));
}

const wait = 'options[ifRateLimited]';
const list = ['returnAll', 'limit'];
const content = 'dataFields.values.name/value';

const operations: Array<[resource: string, operation: string, parameters: string[], when?: INodeParameters]> = [
	['account', 'get', [wait]],
	['account', 'update', ['updateFields[email password]', wait]],
	['campaign', 'assignLink', ['campaignId', 'linkId', wait]],
	['campaign', 'create', ['name', 'additionalFields[public slug]', wait]],
	['campaign', 'delete', ['campaignId', wait]],
	['campaign', 'getAll', [...list, wait]],
	['campaign', 'update', ['campaignId', 'name', 'updateFields[public slug]', wait]],
	['channel', 'assignItem', ['channelId', 'itemType', 'itemId', wait], { itemType: 'links' }],
	['channel', 'assignItem', ['channelId', 'itemType', 'itemId', wait], { itemType: 'qr' }],
	['channel', 'assignItem', ['channelId', 'itemType', 'itemId', wait], { itemType: 'bio' }],
	['channel', 'create', ['name', 'additionalFields[color description starred]', wait]],
	['channel', 'delete', ['channelId', wait]],
	['channel', 'getItems', ['channelId', ...list, wait]],
	['channel', 'getAll', [...list, wait]],
	['channel', 'update', ['channelId', 'updateFields[color description name starred]', wait]],
	['domain', 'create', ['domain', 'additionalFields[redirect404 redirectroot]', wait]],
	['domain', 'delete', ['domainId', wait]],
	['domain', 'getAll', [...list, wait]],
	['domain', 'update', ['domainId', 'updateFields[redirect404 redirectroot]', wait]],
	[
		'link',
		'create',
		[
			'url',
			'additionalFields[custom campaign channel deeplink.value.ios/auto/android description devicetarget.values.device/link domain expiry ' +
				'geotarget.values.location/link languagetarget.values.language/link metadescription metaimage metatitle ' +
				'parameters.values.name/value password pixels type status]',
			'options[ifAliasExists ifRateLimited]',
		],
	],
	['link', 'get', ['linkId', 'simplify', wait]],
	['link', 'getAll', [...list, 'filters[order q]', wait]],
	['overlay', 'getAll', [...list, wait]],
	['qrCode', 'create', ['type', 'data', 'additionalFields[background foreground logo name]', wait], { type: 'link' }],
	['qrCode', 'create', ['type', 'dataFormat', content, 'additionalFields[background foreground logo name]', wait], { type: 'vcard', dataFormat: 'fields' }],
	['qrCode', 'create', ['type', 'dataFormat', 'dataJson', 'additionalFields[background foreground logo name]', wait], { type: 'wifi', dataFormat: 'json' }],
	['qrCode', 'create', ['type', 'dataFormat', 'data', 'additionalFields[background foreground logo name]', wait], { type: 'sms', dataFormat: 'text' }],
	['qrCode', 'delete', ['qrCodeId', wait]],
	['qrCode', 'get', ['qrCodeId', 'simplify', wait]],
	['qrCode', 'getAll', [...list, wait]],
	['qrCode', 'update', ['qrCodeId', 'dataFormat', 'data', 'updateFields[background foreground logo type]', wait], { dataFormat: 'text' }],
	['qrCode', 'update', ['qrCodeId', 'dataFormat', content, 'updateFields[background foreground logo type]', wait], { dataFormat: 'fields' }],
	['splashPage', 'getAll', [...list, wait]],
];

test.each(operations)('%s:%s has the parameters %j', (resource, operation, parameters, when = {}) => {
	expect(outline(resource, operation, when)).toEqual(parameters);
});

test('each resource that has been released stands in these tables with all its operations', () => {
	const released = new Set(operations.map(([resource]) => resource));
	const offered = resources
		.filter(({ value }) => released.has(value))
		.flatMap(({ value, operations: own }) => own.map((operation) => `${value}:${operation.value}`));
	expect(offered.sort()).toEqual([...new Set(operations.map(([resource, operation]) => `${resource}:${operation}`))].sort());
});

function optionsOf(name: string, parameters: INodeParameters): { default: unknown; values: unknown[] } {
	const field = shown(parameters).find((property) => property.name === name);
	return { default: field?.default, values: ((field?.options ?? []) as INodePropertyOptions[]).map(({ value }) => value) };
}

test.each([
	['resource', {}, 'link: account campaign channel domain link overlay qrCode splashPage'],
	['operation', { resource: 'account' }, 'get: get update'],
	['operation', { resource: 'campaign' }, 'create: assignLink create delete getAll update'],
	['operation', { resource: 'channel' }, 'create: assignItem create delete getItems getAll update'],
	['operation', { resource: 'domain' }, 'create: create delete getAll update'],
	['operation', { resource: 'link' }, 'create: create get getAll'],
	['operation', { resource: 'overlay' }, 'getAll: getAll'],
	['operation', { resource: 'qrCode' }, 'create: create delete get getAll update'],
	['operation', { resource: 'splashPage' }, 'getAll: getAll'],
	['itemType', { resource: 'channel', operation: 'assignItem' }, 'links: bio links qr'],
	['type', { resource: 'qrCode', operation: 'create' }, 'link: email link phone sms text vcard wifi'],
	['dataFormat', { resource: 'qrCode', operation: 'create', type: 'sms' }, 'fields: fields json text'],
	['dataFormat', { resource: 'qrCode', operation: 'update' }, 'text: fields json text'],
])('%s %j has the values and the default of saved workflows: %s', (name, parameters, expected) => {
	const [standard, ...values] = expected.split(/:? /);
	expect(optionsOf(name, parameters)).toEqual({ default: standard, values: expect.arrayContaining(values) });
});

test.each([
	['simplify', { resource: 'link', operation: 'get' }, true],
	['simplify', { resource: 'qrCode', operation: 'get' }, true],
	['returnAll', { resource: 'link', operation: 'getAll' }, false],
	['limit', { resource: 'link', operation: 'getAll', returnAll: false }, 50],
])('%s %j is %j unless stated', (name, parameters, value) => {
	expect(shown(parameters).find((property) => property.name === name)?.default).toBe(value);
});

test.each([
	['campaignId', { resource: 'campaign', operation: 'delete' }, 'list id'],
	['linkId', { resource: 'campaign', operation: 'assignLink' }, 'list id'],
	['linkId', { resource: 'link', operation: 'get' }, 'list id shortUrl'],
	['channelId', { resource: 'channel', operation: 'delete' }, 'list id'],
	['itemId', { resource: 'channel', operation: 'assignItem', itemType: 'links' }, 'list id'],
	['itemId', { resource: 'channel', operation: 'assignItem', itemType: 'qr' }, 'list id'],
	['itemId', { resource: 'channel', operation: 'assignItem', itemType: 'bio' }, 'id'],
	['domainId', { resource: 'domain', operation: 'delete' }, 'list id'],
	['qrCodeId', { resource: 'qrCode', operation: 'delete' }, 'list id'],
])('%s %j can be given by %s', (name, parameters, modes) => {
	const field = shown(parameters).find((property) => property.name === name);
	expect((field?.modes ?? []).map((mode) => mode.name).join(' ')).toBe(modes);
});

test('the engine finds each parameter once for each of its forms: it evaluates expressions once for each', () => {
	const counts = new Map<string, number>();
	for (const { name } of description.properties) counts.set(name, (counts.get(name) ?? 0) + 1);
	expect(Object.fromEntries(counts)).toMatchObject({ campaignId: 1, channelId: 1, domainId: 1, qrCodeId: 1, url: 1, linkId: 2, name: 3 });
});
