/**
 * What people, spreadsheets and attackers put into the parameters of a node: made from the node's own description, so that a
 * new operation or field is covered by itself.
 */
import fc from 'fast-check';
import {
	NodeHelpers,
	type IDataObject,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
	type INodeType,
} from 'n8n-workflow';

/** Text that breaks things: markup of several languages, paths, line breaks, names that JavaScript objects have already. */
const NASTY = [
	'',
	' ',
	'\r\nX-Injected: 1',
	'a\u0000b',
	'../../account',
	'12/delete',
	'%2e%2e%2f',
	'12?limit=1#x',
	'__proto__',
	'constructor',
	'toString',
	'{{ $json }}',
	"'; DROP TABLE links; --",
	'<script>alert(1)</script>',
	'\ud83d\ude80 \u202eevil',
	'\ud800',
	'NaN',
	'1e21',
	'-1',
	'0x10',
	'٣',
];

const text = fc.oneof(
	fc.constantFrom(...NASTY),
	fc.string({ unit: 'binary', maxLength: 30 }),
	fc.string({ maxLength: 200 }),
);

/** Any JSON, as an expression may give it. */
const anything: fc.Arbitrary<unknown> = fc.oneof(
	text,
	fc.integer(),
	fc.double(),
	fc.boolean(),
	fc.constant(null),
	fc.jsonValue({ maxDepth: 3 }),
	fc.constant(JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}')),
);

/** Values of the kind that the parameter asks for. */
const address = fc.constantFrom(
	'https://example.com/page',
	'http://go.example.com',
	'https://example.com/?a=1&b=2#c',
	'https://münchen.example/ä',
);
const moment = fc.constantFrom(
	'2031-01-02 03:04:05',
	'2031-01-02',
	'2031-01-02T03:04:05.000+02:00',
	'2031-01-02T03:04:05Z',
);
const color = fc.constantFrom('#1a2b3c', 'rgb(1,2,3)', 'rgb(0, 10, 255)');
/** The sandbox has so many records of each kind. */
const recordId = fc.integer({ min: 1, max: 8 });
const fitting: Record<string, fc.Arbitrary<unknown>> = {
	boolean: fc.boolean(),
	number: fc.integer({ min: 1, max: 120 }),
	dateTime: moment,
	color,
	json: fc.constantFrom('{"a": "b"}', '["a", "b"]', '{}'),
	string: fc.oneof(
		address,
		fc.constantFrom('name', '12', '3,17', 'spring-sale', 'a@example.com'),
		fc.string({ minLength: 1, maxLength: 20 }),
	),
};

/** How a value gets into the node: typed in, or by an expression from the item. */
export interface Entered {
	/** The item that comes in. */
	row: IDataObject;
	parameters: IDataObject;
}

/** Writes values into the item and expressions for them into the parameters. */
class Entry implements Entered {
	row: IDataObject = {};
	parameters: IDataObject = {};
	private count = 0;

	/** The expression that gives a value. */
	expressionFor(value: unknown): string {
		const name = `v${this.count++}`;
		this.row[name] = value as IDataObject[string];
		return `={{ $json.${name} }}`;
	}
}

/** Where a value is put down, and what it is. */
type Plan = (entry: Entry) => unknown;

function value(fits: fc.Arbitrary<unknown>): fc.Arbitrary<Plan> {
	return fc
		.oneof({ weight: 8, arbitrary: fits }, { weight: 1, arbitrary: anything })
		.map((chosen) => (entry) => entry.expressionFor(chosen));
}

function planOf(property: INodeProperties): fc.Arbitrary<Plan> {
	const { type, options = [] } = property;
	switch (type) {
		// For the editor alone: nothing reads it in a run.
		case 'hidden':
			return fc.constant(() => property.default);
		case 'options':
			return value(fc.constantFrom(...(options as INodePropertyOptions[]).map((option) => option.value)));
		case 'multiOptions':
			return value(fc.oneof(fc.array(recordId, { maxLength: 3 }), recordId.map(String)));
		case 'resourceMapper':
			return fc.tuple(value(address), value(fitting.string)).map(([url, custom]) => (entry) => ({
				mappingMode: 'defineBelow',
				value: { url: url(entry), custom: custom(entry) },
				matchingColumns: [],
				schema: [],
			}));
		case 'resourceLocator':
			return fc
				.tuple(
					fc.constantFrom(...(property.modes ?? []).map(({ name }) => name)),
					value(fc.oneof(recordId, recordId, recordId.map(String), address)),
				)
				.map(([mode, plan]) => (entry) => ({ __rl: true, mode, value: plan(entry) }));
		case 'collection':
			return fieldsOf(options as INodeProperties[]);
		case 'fixedCollection': {
			const [{ name, values }] = options as INodePropertyCollection[];
			const row = fieldsOf(values);
			if (property.typeOptions?.multipleValues !== true) return row.map((plan) => (entry) => ({ [name]: plan(entry) }));
			return fc.array(row, { maxLength: 3 }).map((plans) => (entry) => ({ [name]: plans.map((plan) => plan(entry)) }));
		}
		default: {
			const fits =
				type === 'string' && /url|link|redirect|^domain$|image|ios|android/.test(property.name)
					? address
					: fitting[type];
			if (fits === undefined) throw new Error(`Nothing is known about parameters of the type ${type}`);
			return value(fits);
		}
	}
}

/** Optional fields that are filled at once: with more, hardly an input would be free of nonsense. */
const MOST_FIELDS = 4;

/** Some of these fields, filled; n8n itself refuses to run without the required ones, and shows collections always. */
function fieldsOf(fields: INodeProperties[]): fc.Arbitrary<Plan> {
	const always = fields.filter(({ required, type }) => required === true || type === 'collection');
	const optional = fields.filter((field) => !always.includes(field) && field.type !== 'notice');
	const some = (minLength: number) =>
		fc.subarray(optional, { minLength, maxLength: Math.min(MOST_FIELDS, optional.length) });
	return fc
		.oneof({ weight: 4, arbitrary: some(Math.min(1, optional.length)) }, { weight: 1, arbitrary: some(0) })
		.chain((filled) =>
			fc.record(Object.fromEntries([...always, ...filled].map((field) => [field.name, planOf(field)]))),
		)
		.map((plans) => (entry) => Object.fromEntries(Object.entries(plans).map(([name, plan]) => [name, plan(entry)])));
}

/** An operation of a node, as the editor's two selectors name it. */
interface Operation {
	resource: string;
	operation: string;
}

/** Every operation of a node, in the order of its description. */
export function operationsOf({ description }: INodeType): Operation[] {
	return description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			(displayOptions?.show?.resource ?? []).flatMap((resource) =>
				(options as INodePropertyOptions[]).map((option) => ({
					resource: String(resource),
					operation: String(option.value),
				})),
			),
		);
}

/** Entries for one operation of a node. */
export function entriesFor({ description }: INodeType, selected: Operation): fc.Arbitrary<Entered> {
	const shown = (fixed: IDataObject, properties: INodeProperties[]) =>
		properties.filter((property) =>
			NodeHelpers.displayParameter(
				{ ...fixed } as Parameters<typeof NodeHelpers.displayParameter>[0],
				property,
				{ typeVersion: 1 },
				description,
			),
		);
	const selectors = ['resource', 'operation'];
	// Selectors within the operation (a type, a format, Return All) decide what else is shown: typed in, not by expression.
	const deciding = new Set(
		description.properties.flatMap(({ displayOptions }) => Object.keys(displayOptions?.show ?? {})),
	);
	const choices = description.properties.filter(
		({ name, displayOptions: { show } = {} }) =>
			deciding.has(name) &&
			!selectors.includes(name) &&
			show?.resource?.includes(selected.resource) &&
			show.operation?.includes(selected.operation),
	);
	const typed = fc.record(
		Object.fromEntries(
			choices.map(({ name, type, options = [] }) => [
				name,
				type === 'boolean'
					? fc.boolean()
					: fc.constantFrom(...(options as INodePropertyOptions[]).map((option) => option.value)),
			]),
		),
	);
	const byChoice = new Map<string, fc.Arbitrary<Entered>>();
	const entriesWith = (fixed: IDataObject): fc.Arbitrary<Entered> => {
		const open = shown(fixed, description.properties)
			.filter(({ name, type }) => !(name in fixed) && type !== 'notice' && name !== 'requestOptions')
			.map((property) =>
				property.type === 'collection'
					? { ...property, options: shown(fixed, (property.options ?? []) as INodeProperties[]) }
					: property,
			);
		return fieldsOf(open).map((plan) => {
			const entry = new Entry();
			entry.parameters = { ...fixed, ...(plan(entry) as IDataObject) };
			return { row: entry.row, parameters: entry.parameters };
		});
	};
	return typed.chain((chosen) => {
		const key = JSON.stringify(chosen);
		if (!byChoice.has(key)) byChoice.set(key, entriesWith({ ...selected, ...chosen } as IDataObject));
		return byChoice.get(key)!;
	});
}
