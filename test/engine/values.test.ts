/** Settings and options, whatever an expression gives: understood as a person would, or refused by name before anything is sent. */
import { NodeHelpers, type IDataObject, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { OPERATIONS as EXAMPLES, prepareAccount } from '../documentation/examples';
import { CONTINUE } from './account';
import { linkManagement } from './host';
import { bodies, itemsOf, openService, rowsOf, run, sandbox } from './service';

openService();

/** An option of an operation, or a parameter of it that is a switch, a choice or a number. */
type Setting = [operation: string, name: string, field: INodeProperties, parameters: IDataObject];

const KINDS = ['boolean', 'options', 'number'];
/** Chosen in lists that an expression can't be given in. */
const SELECTORS = ['resource', 'operation', 'requestOptions'];

function settingsOf(operation: string, parameters: IDataObject): Setting[] {
	const [resource, name] = operation.split(':');
	const own = { resource, operation: name, returnAll: false, ...parameters } as INodeParameters;
	const { description } = linkManagement;
	const shown = description.properties.filter(
		(field) =>
			!SELECTORS.includes(field.name) && NodeHelpers.displayParameter(own, field, { typeVersion: 1 }, description),
	);
	const options = shown.find((field) => field.name === 'options');
	const all = [...shown, ...((options?.options ?? []) as INodeProperties[])];
	return all
		.filter(({ type, allowArbitraryValues }) => KINDS.includes(type) && allowArbitraryValues !== true)
		.map((field) => [operation, field.name, field, own as unknown as IDataObject]);
}

const SETTINGS = EXAMPLES.flatMap(({ operation, parameters }) => settingsOf(operation, parameters));

/** The parameters with a setting as an expression gives it. */
function withSetting(field: INodeProperties, parameters: IDataObject, given: unknown): IDataObject {
	const expression = `={{ ${JSON.stringify(given)} }}`;
	const isTopLevel = linkManagement.description.properties.some(({ name }) => name === field.name);
	const isOption = !isTopLevel || field.name === 'binaryPropertyName';
	return isOption
		? { ...parameters, options: { [field.name]: expression } }
		: { ...parameters, [field.name]: expression };
}

/** What people, variables and sheets write for the value of such a setting. */
function writtenFor({ type, name: setting, options = [] }: INodeProperties, parameters: IDataObject): unknown[] {
	if (type === 'boolean') return [' TRUE ', '0', [true]];
	if (type === 'number') return [' 3 ', ['3']];
	const choices = options as Array<{ name: string; value: string }>;
	const { name, value } = choices.find((choice) => choice.value === parameters[setting]) ?? choices[0];
	return [` ${value.toUpperCase()}\u00a0`, [name.toLowerCase()]];
}

test('every operation has settings', () => {
	expect(new Set(SETTINGS.map(([operation]) => operation)).size).toBe(EXAMPLES.length);
	expect(SETTINGS.length).toBeGreaterThan(EXAMPLES.length);
});

/** Those that differ from operation to operation: what all have is read by the same rule. */
const OWN = SETTINGS.filter(
	([, name, { noDataExpression }], at) =>
		// Where the editor offers no expression, later engines evaluate none.
		noDataExpression !== true && SETTINGS.findIndex(([, other]) => other === name) === at,
);

test.each(OWN)('%s: %s takes what means it', async (_operation, _name, field, parameters) => {
	for (const written of writtenFor(field, parameters)) {
		await prepareAccount(sandbox, 'document');
		await sandbox.configure({ apiKeys: [sandbox.apiKey] });
		const { error } = await run(withSetting(field, parameters, written));
		expect([written, error?.message]).toEqual([written, undefined]);
	}
});

test.each(SETTINGS)('%s: %s refuses anything else', async (_operation, _name, field, parameters) => {
	for (const nonsense of ['perhaps', 2.5, ['a', 'b'], '\u200b']) {
		const { error, items } = await run(withSetting(field, parameters, nonsense));
		expect([nonsense, items, error?.message]).toEqual([nonsense, [], expect.stringMatching(`^${field.displayName} `)]);
	}
	expect(await sandbox.requests()).toEqual([]);
});

describe('as text, from a variable or a sheet', () => {
	const upsert = { resource: 'link', operation: 'upsert' };
	const changed = [{ alias: 'row-0', url: 'https://example.com/moved' }];

	test.each<[string, IDataObject, IDataObject?]>([
		['Dry Run changes nothing', { options: { dryRun: "={{ 'true' }}" } }],
		['Dry Run as 1 changes nothing', { options: { dryRun: '={{ 1 }}' } }],
		[
			'Update When: Never updates nothing',
			{ options: { updateWhen: "={{ 'Never' }}" } },
			{ url: undefined, title: 'A' },
		],
	])('%s', async (_what, parameters, more = {}) => {
		await itemsOf(upsert, { rows: rowsOf(1) });
		await sandbox.clearRequests();
		await itemsOf({ ...upsert, ...parameters }, { rows: [{ ...changed[0], ...more }] });
		expect((await sandbox.requests()).filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	test('Update When: Never refuses a row whose link leads elsewhere, and names the link', async () => {
		await itemsOf(upsert, { rows: rowsOf(2) });
		await sandbox.clearRequests();
		const rows = [...changed, ...changed, ...rowsOf(2).slice(1)];
		const items = await itemsOf({ ...upsert, options: { updateWhen: 'never' } }, { rows, node: CONTINUE });
		for (const { error, existingLink } of items.slice(0, 2)) {
			expect(error).toMatch(/row-0 \(ID \d+\) leads to another long URL: "https:\/\/example\.com\/0"/);
			expect(existingLink).toMatchObject({ shorturl: `${sandbox.url}/row-0` });
		}
		expect(items[2].action).toBe('unchanged');
		expect((await sandbox.requests()).filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	test('Return All does what it says, and an option of the whole sheet has one value', async () => {
		await itemsOf(upsert, { rows: rowsOf(60) });
		const all = { resource: 'link', operation: 'getAll', returnAll: "={{ 'TRUE' }}" };
		expect((await itemsOf(all)).length).toBeGreaterThanOrEqual(60);
		const rows = [
			{ alias: 'row-0', url: 'https://example.com/moved' },
			{ alias: 'row-1', url: 'https://example.com/moved-too' },
		];
		for (const name of ['dryRun', 'updateWhen', 'emptyCells']) {
			const how = { dryRun: ['FALSE', ' 1'], updateWhen: ['Changed', 'never'], emptyCells: ['keep', 'Clear'] }[name];
			const mixed = rows.map((row, at) => ({ ...row, how: how?.[at] }));
			const { error } = await run({ ...upsert, options: { [name]: '={{ $json.how }}' } }, { rows: mixed });
			expect(error?.message).toMatch(/ differs between rows: /);
		}
		expect((await sandbox.requests()).filter(({ method }) => method === 'PUT')).toEqual([]);
	});
});

describe('mistakes that are known', () => {
	const url = 'https://example.com/1';
	const target = (location: string) => ({ values: [{ location, link: 'https://example.com/2' }] });
	const create = (linkFields: IDataObject) => ({ resource: 'link', operation: 'create', url, linkFields });
	const pixel = (pixelType: string) => ({ resource: 'pixel', operation: 'create', pixelType, name: 'Shop', tag: '1' });

	test.each<[IDataObject, IDataObject]>([
		[create({ geotarget: target('de') }), { geotarget: [{ location: 'Germany', link: 'https://example.com/2' }] }],
		[create({ geotarget: target('Narnia') }), { geotarget: [{ location: 'Narnia', link: 'https://example.com/2' }] }],
		[pixel('={{ "facebook" }}'), { type: 'fbpixel' }],
		[pixel('={{ "matomo" }}'), { type: 'matomo' }],
	])('are put right: %j', async (parameters, sent) => {
		const { error } = await run(parameters);
		expect(error).toBeUndefined();
		expect(await bodies()).toMatchObject([sent]);
	});
});

describe('a cell that is emptied', () => {
	const rows = [{ alias: 'row-0', url: 'https://example.com/0', description: '', where: '' }];
	const target = { values: [{ location: ['Germany'], link: '={{ $json.where }}' }] };

	beforeEach(async () => {
		const full = { description: 'A note', where: 'https://example.com/de' };
		const linkFields = { geotarget: target };
		await itemsOf({ resource: 'link', operation: 'upsert', linkFields }, { rows: [{ ...rows[0], ...full }] });
	});

	const left = async () => {
		const link = (await sandbox.links()).find(({ alias }) => alias === 'row-0');
		return [link?.description, Object.keys(link?.location ?? {}).length];
	};

	test.each<[string, IDataObject, unknown[]]>([
		[
			'clears its field where it is mapped by hand',
			{ custom: '={{ $json.alias }}', description: '={{ $json.description }}' },
			['', 0],
		],
		[
			'is no cell where it was left empty in the mapping',
			{ custom: '={{ $json.alias }}', description: '' },
			['A note', 0],
		],
	])('%s', async (_what, value, expected) => {
		const columns = { mappingMode: 'defineBelow', value };
		const { error } = await run(
			{
				resource: 'link',
				operation: 'upsert',
				linkFields: { geotarget: target },
				columns,
				options: { emptyCells: 'clear' },
			},
			{ rows },
		);
		expect(error).toBeUndefined();
		expect(await left()).toEqual(expected);
	});
});
