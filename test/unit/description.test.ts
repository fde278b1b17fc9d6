/**
 * What saved workflows depend on: the names of resources, operations and parameters. A change here that takes away or renames
 * breaks the workflows of users; additions are welcome.
 */
import {
	NodeHelpers,
	type ILoadOptionsFunctions,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { resources } from '../../nodes/LinkManagement/resources';
import { getLinkColumns } from '../../nodes/LinkManagement/resources/link/columns';

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
	return (options as INodePropertyCollection[])
		.map(({ name, values }) => `.${name}.${values.map((value) => value.name).join('/')}`)
		.join();
}

/** Fields that are there under their names twice: as what brings the first entry along, and once they are there. */
const REPEATING = { devicetarget: {}, geotarget: {}, languagetarget: {}, parameters: {} };

/** An operation's parameters as one line each: name, and in brackets what a collection holds. */
function outline(resource: string, operation: string, more: INodeParameters = {}): string[] {
	const parameters = { resource, operation, returnAll: false, linkFields: REPEATING, ...more };
	return shown(parameters)
		.filter(({ name }) => name !== 'resource' && name !== 'operation')
		.map((field) =>
			field.type === 'collection'
				? `${field.name}[${entries(field, parameters).join(' ')}]`
				: field.name + groups(field),
		);
}

const wait = 'options[ifRateLimited]';
const row = 'options[ifRateLimited includeInput]';
const picture = 'options[downloadPicture ifRateLimited includeInput binaryPropertyName]';
const byName = 'options[ifNameMissing ifRateLimited includeInput]';
const list = ['returnAll', 'limit'];
const content = 'dataFields.values.name/value';

const operations: Array<[resource: string, operation: string, parameters: string[], when?: INodeParameters]> = [
	['account', 'get', [row]],
	['account', 'update', ['accountFields[email password]', row]],
	['campaign', 'assignLink', ['campaignId', 'linkId', byName]],
	['campaign', 'create', ['name', 'campaignFields[public slug]', row]],
	['campaign', 'delete', ['campaignId', byName]],
	['campaign', 'getAll', [...list, wait]],
	['campaign', 'update', ['campaignId', 'name', 'campaignFields[public slug]', byName]],
	['channel', 'assignItem', ['channelId', 'itemType', 'linkId', byName], { itemType: 'links' }],
	['channel', 'assignItem', ['channelId', 'itemType', 'qrCodeId', byName], { itemType: 'qr' }],
	['channel', 'assignItem', ['channelId', 'itemType', 'bioPageId', byName], { itemType: 'bio' }],
	['channel', 'create', ['name', 'channelFields[color description starred]', row]],
	['channel', 'delete', ['channelId', byName]],
	['channel', 'getItems', ['channelId', ...list, 'options[ifNameMissing ifRateLimited]']],
	['channel', 'getAll', [...list, wait]],
	['channel', 'update', ['channelId', 'channelFields[color description name starred]', byName]],
	['domain', 'create', ['domain', 'domainFields[redirect404 redirectroot]', row]],
	['domain', 'delete', ['domainId', row]],
	['domain', 'getAll', [...list, wait]],
	['domain', 'update', ['domainId', 'domainFields[redirect404 redirectroot]', row]],
	[
		'link',
		'create',
		[
			'url',
			'linkFields[custom campaign channel deeplink.value.ios/auto/android description devicetarget.values.device/link domain expiry ' +
				'geotarget.values.location/link languagetarget.values.language/link metadescription metaimage metatitle ' +
				'password pixels type status parameters.values.name/value utm.value.campaign/content/medium/source/term]',
			'options[ifAliasExists ifLongUrlExists ifNameMissing ifRateLimited includeInput]',
		],
	],
	['link', 'delete', ['linkId', row]],
	['link', 'get', ['linkId', 'simplify', 'options[details ifRateLimited includeInput]']],
	['link', 'getAll', [...list, 'filters[order q]', wait]],
	[
		'link',
		'update',
		[
			'linkId',
			'linkFields[custom campaign channel deeplink.value.ios/auto/android description devicetarget.values.device/link expiry ' +
				'geotarget.values.location/link languagetarget.values.language/link url metadescription metaimage metatitle ' +
				'password pixels type status parameters.values.name/value utm.value.campaign/content/medium/source/term]',
			byName,
		],
	],
	[
		'link',
		'upsert',
		[
			'columns',
			'linkFields[deeplink.value.ios/auto/android devicetarget.values.device/link geotarget.values.location/link ' +
				'languagetarget.values.language/link parameters.values.name/value utm.value.campaign/content/medium/source/term]',
			'options[dryRun ifNameMissing ifRateLimited includeInput matchOn updateWhen]',
		],
	],
	['overlay', 'getAll', [...list, wait]],
	['pixel', 'create', ['pixelType', 'name', 'tag', row]],
	['pixel', 'delete', ['pixelId', row]],
	['pixel', 'getAll', [...list, wait]],
	['pixel', 'update', ['pixelId', 'tag', 'pixelFields[name]', row]],
	['qrCode', 'create', ['type', 'data', 'qrCodeFields[background foreground logo name]', picture], { type: 'link' }],
	[
		'qrCode',
		'create',
		[
			'type',
			'dataFormat',
			'contact[city country email fax fname lname cell org phone state street site zip]',
			content,
			'qrCodeFields[background foreground logo name]',
			picture,
		],
		{ type: 'vcard', dataFormat: 'fields' },
	],
	...[
		['email', 'email', 'subject', 'body'],
		['sms', 'phone', 'message'],
		['wifi', 'ssid', 'encryption', 'pass'],
	].map(([type, ...fields]): [string, string, string[], INodeParameters] => [
		'qrCode',
		'create',
		['type', 'dataFormat', ...fields, content, 'qrCodeFields[background foreground logo name]', picture],
		{ type, dataFormat: 'fields' },
	]),
	[
		'qrCode',
		'create',
		['type', 'dataFormat', 'dataJson', 'qrCodeFields[background foreground logo name]', picture],
		{ type: 'wifi', dataFormat: 'json' },
	],
	[
		'qrCode',
		'create',
		['type', 'dataFormat', 'data', 'qrCodeFields[background foreground logo name]', picture],
		{ type: 'sms', dataFormat: 'text' },
	],
	['qrCode', 'delete', ['qrCodeId', row]],
	['qrCode', 'download', ['qrCodeId', 'binaryPropertyName', row]],
	['qrCode', 'get', ['qrCodeId', 'simplify', row]],
	['qrCode', 'getAll', [...list, wait]],
	[
		'qrCode',
		'update',
		['qrCodeId', 'dataFormat', 'data', 'qrCodeFields[background foreground logo type]', row],
		{ dataFormat: 'text' },
	],
	[
		'qrCode',
		'update',
		['qrCodeId', 'dataFormat', content, 'qrCodeFields[background foreground logo type]', row],
		{ dataFormat: 'fields' },
	],
	['splashPage', 'getAll', [...list, wait]],
];

test.each(operations)('%s:%s has the parameters %j', (resource, operation, parameters, when = {}) => {
	expect(outline(resource, operation, when)).toEqual(parameters);
});

test('each resource and operation of these tables is offered', () => {
	const offered = resources.flatMap(({ value, operations: own }) =>
		own.map((operation) => `${value}:${operation.value}`),
	);
	expect(offered).toEqual(
		expect.arrayContaining(operations.map(([resource, operation]) => `${resource}:${operation}`)),
	);
});

function optionsOf(name: string, parameters: INodeParameters): { default: unknown; values: unknown[] } {
	const field = shown(parameters).find((property) => property.name === name);
	return {
		default: field?.default,
		values: ((field?.options ?? []) as INodePropertyOptions[]).map(({ value }) => value),
	};
}

test.each([
	['resource', {}, 'link: account campaign channel domain link overlay pixel qrCode splashPage'],
	['operation', { resource: 'account' }, 'get: get update'],
	['operation', { resource: 'campaign' }, 'create: assignLink create delete getAll update'],
	['operation', { resource: 'channel' }, 'create: assignItem create delete getItems getAll update'],
	['operation', { resource: 'domain' }, 'create: create delete getAll update'],
	['operation', { resource: 'link' }, 'create: create upsert delete get getAll update'],
	['operation', { resource: 'overlay' }, 'getAll: getAll'],
	['operation', { resource: 'pixel' }, 'create: create delete getAll update'],
	['operation', { resource: 'qrCode' }, 'create: create delete download get getAll update'],
	['operation', { resource: 'splashPage' }, 'getAll: getAll'],
	['itemType', { resource: 'channel', operation: 'assignItem' }, 'links: bio links qr'],
	['type', { resource: 'qrCode', operation: 'create' }, 'link: email link phone sms text vcard wifi'],
	['dataFormat', { resource: 'qrCode', operation: 'create', type: 'sms' }, 'fields: fields json text'],
	['dataFormat', { resource: 'qrCode', operation: 'update' }, 'text: fields json text'],
])('%s %j has the values and the default of saved workflows: %s', (name, parameters, expected) => {
	const [standard, ...values] = expected.split(/:? /);
	expect(optionsOf(name, parameters)).toEqual({ default: standard, values: expect.arrayContaining(values) });
});

type OptionRow = [resource: string, operation: string, name: string, expected: string];

/** Operations that may name a campaign or a channel which is not there. */
const naming = {
	link: ['create', 'upsert', 'update'],
	campaign: ['assignLink', 'update', 'delete'],
	channel: ['assignItem', 'getItems', 'update', 'delete'],
};

test.each<OptionRow>([
	['link', 'create', 'ifAliasExists', 'fail: fail another returnExisting'],
	['link', 'create', 'ifLongUrlExists', 'create: create returnExisting'],
	['link', 'upsert', 'matchOn', 'alias: alias url'],
	['link', 'upsert', 'updateWhen', 'changed: changed always never'],
	['link', 'upsert', 'dryRun', 'true'],
	['link', 'get', 'details', 'full: full totals'],
	['qrCode', 'create', 'downloadPicture', 'true'],
	['qrCode', 'create', 'binaryPropertyName', 'data'],
	...Object.entries(naming).flatMap(([resource, all]) =>
		all.map((operation): OptionRow => [resource, operation, 'ifNameMissing', 'create: fail create']),
	),
	...resources.flatMap(({ value, operations: own }) =>
		own.map((operation): OptionRow => [value, operation.value, 'ifRateLimited', 'wait: wait fail']),
	),
])(
	'%s:%s has the option %s with the values and the default of saved workflows: %s',
	(resource, operation, name, expected) => {
		const [standard, ...values] = expected.split(/:? /);
		const all = shown({ resource, operation }).find((property) => property.name === 'options')
			?.options as INodeProperties[];
		const option = all.find((entry) => entry.name === name);
		expect(String(option?.default)).toBe(standard);
		expect(((option?.options ?? []) as INodePropertyOptions[]).map(({ value }) => value)).toEqual(
			expect.arrayContaining(values),
		);
	},
);

test.each([
	['campaign', 'list id name'],
	['channel', 'list id name'],
	['domain', 'list url'],
	['type', 'list id'],
])('the link field %s can be given by %s', (name, modes) => {
	const fields = shown({ resource: 'link', operation: 'create' }).find((property) => property.name === 'linkFields');
	const field = ((fields?.options ?? []) as INodeProperties[]).find((entry) => entry.name === name);
	expect((field?.modes ?? []).map((mode) => mode.name).join(' ')).toBe(modes);
});

test.each([
	['event', 'linkCreated: linkCreated linkClicked linkClickThreshold qrCodeCreated qrCodeScanned qrCodeScanThreshold'],
	['watch', 'all: all selected'],
	['linkIds', ''],
	['qrCodeIds', ''],
	['threshold', '100'],
	['thresholdMode', 'once: once every'],
	['options', '[object Object]: includeExisting minimumIncrease'],
])('the trigger has %s with the values and the default of saved workflows: %s', (name, expected) => {
	const [standard, ...values] = expected.split(/: | (?!Object)/);
	const field = new LinkManagementTrigger().description.properties.find((property) => property.name === name);
	expect(String(field?.default)).toBe(standard);
	const offered = (field?.options ?? []).map((option) => ('value' in option ? option.value : option.name));
	expect(offered).toEqual(expect.arrayContaining(values));
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
	['campaignId', { resource: 'campaign', operation: 'delete' }, 'list id name'],
	['linkId', { resource: 'campaign', operation: 'assignLink' }, 'list id shortUrl alias longUrl'],
	['linkId', { resource: 'link', operation: 'get' }, 'list id shortUrl alias longUrl'],
	['channelId', { resource: 'channel', operation: 'delete' }, 'list id name'],
	['linkId', { resource: 'channel', operation: 'assignItem', itemType: 'links' }, 'list id shortUrl alias longUrl'],
	['qrCodeId', { resource: 'channel', operation: 'assignItem', itemType: 'qr' }, 'list id'],
	['bioPageId', { resource: 'channel', operation: 'assignItem', itemType: 'bio' }, 'id'],
	['domainId', { resource: 'domain', operation: 'delete' }, 'list id'],
	['pixelId', { resource: 'pixel', operation: 'delete' }, 'list id'],
	['qrCodeId', { resource: 'qrCode', operation: 'delete' }, 'list id'],
])('%s %j can be given by %s', (name, parameters, modes) => {
	const field = shown(parameters).find((property) => property.name === name);
	expect((field?.modes ?? []).map((mode) => mode.name).join(' ')).toBe(modes);
});

test('the columns of Create or Update are named to those who see no list of them', async () => {
	const { fields } = await getLinkColumns.call({} as ILoadOptionsFunctions);
	const [columns] = shown({ resource: 'link', operation: 'upsert' }).filter(({ name }) => name === 'columns');
	const named = /Fields: ([^.]+)\./
		.exec(columns.description ?? '')?.[1]
		.replace(/ \(.*?\)/g, '')
		.split(', ');
	expect(named).toEqual(fields.map(({ id }) => id));
});

test('a repeating field comes with its first entry, and is one field once it is there', () => {
	const at = (linkFields: INodeParameters, name: string) => {
		const parameters = { resource: 'link', operation: 'create', linkFields };
		const [collection] = shown(parameters).filter((property) => property.name === 'linkFields');
		return ((collection.options ?? []) as INodeProperties[]).filter(
			(entry) =>
				entry.name === name &&
				NodeHelpers.displayParameter(parameters, entry, { typeVersion: 1 }, description, parameters),
		);
	};
	for (const name of Object.keys(REPEATING)) {
		const [offered, ...others] = at({}, name);
		expect(others).toEqual([]);
		const [field, ...more] = at({ [name]: offered.default as INodeParameters }, name);
		expect(more).toEqual([]);
		expect(field.type).toBe('fixedCollection');
		const saved = { resource: 'link', operation: 'create', linkFields: { [name]: offered.default as INodeParameters } };
		// What n8n's editor keeps of the node's parameters after each change.
		expect(
			NodeHelpers.getNodeParameters(description.properties, saved, false, false, { typeVersion: 1 }, description),
		).toMatchObject({ linkFields: { [name]: { values: [expect.anything()] } } });
	}
});

test.each(['deeplink', 'utm'])('the field %s stays while nothing is entered into it', (name) => {
	const [collection] = shown({ resource: 'link', operation: 'create' }).filter(
		(property) => property.name === 'linkFields',
	);
	const field = ((collection.options ?? []) as INodeProperties[]).find((entry) => entry.name === name);
	const saved = { resource: 'link', operation: 'create', linkFields: { [name]: field?.default as INodeParameters } };
	expect(
		NodeHelpers.getNodeParameters(description.properties, saved, false, false, { typeVersion: 1 }, description),
	).toEqual({ linkFields: { [name]: { value: {} } } });
});
