/**
 * What saved workflows depend on: the names of resources, operations and parameters. A change here that takes away or renames
 * breaks the workflows of users; additions are welcome.
 */
import {
	NodeHelpers,
	type INodeParameterResourceLocator,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
} from 'n8n-workflow';

import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { resources } from '../../nodes/LinkManagement/resources';

const { description } = new LinkManagement();
const trigger = new LinkManagementTrigger();

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
const look = 'qrCodeFields[background foreground logo name]';
const changed = 'qrCodeFields[background foreground logo type]';
const contact = 'contact[city country email fax fname lname cell org phone state street site zip]';
const deep = 'deeplink.value.ios/auto/android';
const devices = 'devicetarget.values.device/link';
const places = 'geotarget.values.location/link';
const languages = 'languagetarget.values.language/link';
const added = 'parameters.values.name/value utm.value.campaign/content/medium/source/term';
const meta = 'metadescription metaimage metatitle password pixels type status';

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
			`linkFields[custom campaign channel ${deep} description ${devices} domain expiry ${places} ${languages} ${meta} ${added}]`,
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
			`linkFields[custom campaign channel ${deep} description ${devices} expiry ${places} ${languages} url ${meta} ${added}]`,
			byName,
		],
	],
	[
		'link',
		'upsert',
		[
			'columns',
			`linkFields[${deep} ${devices} ${places} ${languages} ${added}]`,
			'options[dryRun ifNameMissing ifRateLimited includeInput matchOn updateWhen]',
		],
	],
	['overlay', 'getAll', [...list, wait]],
	['pixel', 'create', ['pixelType', 'name', 'tag', row]],
	['pixel', 'delete', ['pixelId', row]],
	['pixel', 'getAll', [...list, wait]],
	['pixel', 'update', ['pixelId', 'tag', 'pixelFields[name]', row]],
	['qrCode', 'create', ['type', 'data', look, picture], { type: 'link' }],
	[
		'qrCode',
		'create',
		['type', 'dataFormat', contact, content, look, picture],
		{ type: 'vcard', dataFormat: 'fields' },
	],
	...[
		['email', 'email', 'subject', 'body'],
		['sms', 'phone', 'message'],
		['wifi', 'ssid', 'encryption', 'pass'],
	].map(([type, ...fields]): [string, string, string[], INodeParameters] => [
		'qrCode',
		'create',
		['type', 'dataFormat', ...fields, content, look, picture],
		{ type, dataFormat: 'fields' },
	]),
	['qrCode', 'create', ['type', 'dataFormat', 'dataJson', look, picture], { type: 'wifi', dataFormat: 'json' }],
	['qrCode', 'create', ['type', 'dataFormat', 'data', look, picture], { type: 'sms', dataFormat: 'text' }],
	['qrCode', 'delete', ['qrCodeId', row]],
	['qrCode', 'download', ['qrCodeId', 'binaryPropertyName', row]],
	['qrCode', 'get', ['qrCodeId', 'simplify', row]],
	['qrCode', 'getAll', [...list, wait]],
	['qrCode', 'update', ['qrCodeId', 'dataFormat', 'data', changed, row], { dataFormat: 'text' }],
	['qrCode', 'update', ['qrCodeId', 'dataFormat', content, changed, row], { dataFormat: 'fields' }],
	['splashPage', 'getAll', [...list, wait]],
];

test.each(operations)('%s:%s has the parameters %j', (resource, operation, parameters, when = {}) => {
	expect(outline(resource, operation, when)).toEqual(parameters);
});

/** A parameter, or an entry of a collection, as `linkFields.campaign`. @param where `link:create`, or `trigger` */
function fieldAt(where: string, path: string, when: INodeParameters = {}): INodeProperties | undefined {
	const [resource, operation] = where.split(':');
	const [name, entry] = path.split('.');
	const properties = where === 'trigger' ? trigger.description.properties : shown({ resource, operation, ...when });
	const field = properties.find((property) => property.name === name);
	return entry === undefined
		? field
		: (field?.options as INodeProperties[]).find((property) => property.name === entry);
}

type Choices = [where: string, path: string, expected: string, when?: INodeParameters];

/** Operations that may name a campaign or a channel which is not there. */
const naming = {
	link: ['create', 'upsert', 'update'],
	campaign: ['assignLink', 'update', 'delete'],
	channel: ['assignItem', 'getItems', 'update', 'delete'],
};

test.each<Choices>([
	['', 'resource', 'link: account campaign channel domain link overlay pixel qrCode splashPage'],
	['account', 'operation', 'get: get update'],
	['campaign', 'operation', 'create: assignLink create delete getAll update'],
	['channel', 'operation', 'create: assignItem create delete getItems getAll update'],
	['domain', 'operation', 'create: create delete getAll update'],
	['link', 'operation', 'create: create upsert delete get getAll update'],
	['overlay', 'operation', 'getAll: getAll'],
	['pixel', 'operation', 'create: create delete getAll update'],
	['qrCode', 'operation', 'create: create delete download get getAll update'],
	['splashPage', 'operation', 'getAll: getAll'],
	['channel:assignItem', 'itemType', 'links: bio links qr'],
	['qrCode:create', 'type', 'link: email link phone sms text vcard wifi'],
	['qrCode:create', 'dataFormat', 'fields: fields json text', { type: 'sms' }],
	['qrCode:update', 'dataFormat', 'text: fields json text'],
	['link:get', 'simplify', 'true:'],
	['qrCode:get', 'simplify', 'true:'],
	['link:getAll', 'returnAll', 'false:'],
	['link:getAll', 'limit', '50:', { returnAll: false }],
	['link:create', 'options.ifAliasExists', 'fail: fail another returnExisting'],
	['link:create', 'options.ifLongUrlExists', 'create: create returnExisting'],
	['link:upsert', 'options.matchOn', 'alias: alias url'],
	['link:upsert', 'options.updateWhen', 'changed: changed always never'],
	['link:upsert', 'options.dryRun', 'true:'],
	['link:get', 'options.details', 'full: full totals'],
	['qrCode:create', 'options.downloadPicture', 'true:'],
	['qrCode:create', 'options.binaryPropertyName', 'data:'],
	...Object.entries(naming).flatMap(([resource, all]) =>
		all.map((operation): Choices => [`${resource}:${operation}`, 'options.ifNameMissing', 'create: fail create']),
	),
	...resources.flatMap(({ value, operations: own }) =>
		own.map((operation): Choices => [`${value}:${operation.value}`, 'options.ifRateLimited', 'wait: wait fail']),
	),
	['link:create', 'linkFields.campaign', 'list: list id name'],
	['link:create', 'linkFields.channel', 'list: list id name'],
	['link:create', 'linkFields.domain', 'list: list url'],
	['link:create', 'linkFields.type', 'list: list id'],
	['campaign:delete', 'campaignId', 'list: list id name'],
	['campaign:assignLink', 'linkId', 'list: list id shortUrl alias longUrl'],
	['link:get', 'linkId', 'list: list id shortUrl alias longUrl'],
	['channel:delete', 'channelId', 'list: list id name'],
	['channel:assignItem', 'linkId', 'list: list id shortUrl alias longUrl', { itemType: 'links' }],
	['channel:assignItem', 'qrCodeId', 'list: list id', { itemType: 'qr' }],
	['channel:assignItem', 'bioPageId', 'id: id', { itemType: 'bio' }],
	['domain:delete', 'domainId', 'list: list id'],
	['pixel:delete', 'pixelId', 'list: list id'],
	['qrCode:delete', 'qrCodeId', 'list: list id'],
	['trigger', 'event', 'linkCreated: linkCreated linkClicked linkClickThreshold'],
	['trigger', 'event', 'linkCreated: qrCodeCreated qrCodeScanned qrCodeScanThreshold'],
	['trigger', 'watch', 'all: all selected'],
	['trigger', 'linkIds', ':'],
	['trigger', 'qrCodeIds', ':'],
	['trigger', 'threshold', '100:'],
	['trigger', 'thresholdMode', 'once: once every'],
	['trigger', 'options', '[object Object]: includeExisting minimumIncrease'],
])('%s: %s has the default and the choices of saved workflows, %s %j', (where, path, expected, when = {}) => {
	const { default: standard, options = [], modes = [] } = fieldAt(where, path, when) ?? {};
	const choices = options.map((option) => ('value' in option ? option.value : option.name));
	const [value, names] = expected.split(':');
	expect(String(modes.length > 0 ? (standard as INodeParameterResourceLocator).mode : standard)).toBe(value);
	expect([...choices, ...modes.map(({ name }) => name)]).toEqual(
		expect.arrayContaining(names.split(' ').filter(Boolean)),
	);
});

/** What n8n's editor keeps of the fields of a link after each change. */
function kept(linkFields: INodeParameters): INodeParameters | null {
	const saved = { resource: 'link', operation: 'create', linkFields };
	return NodeHelpers.getNodeParameters(description.properties, saved, false, false, { typeVersion: 1 }, description);
}

test.each(Object.keys(REPEATING))(
	'the repeating field %s comes with its first entry, and is one field once it is there',
	(name) => {
		const at = (linkFields: INodeParameters) => {
			const parameters = { resource: 'link', operation: 'create', linkFields };
			const offered = fieldAt('link:create', 'linkFields', { linkFields })?.options as INodeProperties[];
			return offered.filter(
				(entry) =>
					entry.name === name &&
					NodeHelpers.displayParameter(parameters, entry, { typeVersion: 1 }, description, parameters),
			);
		};
		const [offered, ...others] = at({});
		expect(others).toEqual([]);
		const entered = { [name]: offered.default as INodeParameters };
		expect(at(entered)).toMatchObject([{ type: 'fixedCollection' }]);
		expect(kept(entered)).toMatchObject({ linkFields: { [name]: { values: [expect.anything()] } } });
	},
);

test.each(['deeplink', 'utm'])('the field %s stays while nothing is entered into it', (name) => {
	const entered = fieldAt('link:create', `linkFields.${name}`)?.default as INodeParameters;
	expect(kept({ [name]: entered })).toEqual({ linkFields: { [name]: { value: {} } } });
});

test.each([
	[true, { event: 'qrCodeScanned', watch: 'all' }],
	[false, { event: 'qrCodeScanned', watch: 'selected' }],
	[false, { event: 'linkCreated', watch: 'all' }],
])('that polls read the whole list is said where they do: %s for %j', (isSaid, parameters) => {
	const notice = fieldAt('trigger', 'wholeListNotice')!;
	expect(NodeHelpers.displayParameter(parameters, notice, { typeVersion: 1 }, trigger.description)).toBe(isSaid);
});
