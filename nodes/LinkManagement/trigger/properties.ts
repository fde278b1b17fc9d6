import type { INodeProperties, NodeHint } from 'n8n-workflow';

import { EVENTS, type TriggerEvent } from './events';

function valuesWhere(test: (event: TriggerEvent) => boolean): string[] {
	return EVENTS.filter(test).map(({ value }) => value);
}

function selection(name: string, displayName: string, loadOptionsMethod: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod },
		default: [],
		displayOptions: {
			show: {
				watch: ['selected'],
				event: valuesWhere(({ kind, listed }) => kind !== 'created' && listed.idsParameter === name),
			},
		},
		description:
			'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>. The list shows the first 1,000.',
	};
}

export const subtitle = `={{ (${JSON.stringify(Object.fromEntries(EVENTS.map(({ value, name }) => [value, name])))})[$parameter["event"]] }}`;

export const WATCH = [
	{ name: 'All', value: 'all', description: 'Everything in the account' },
	{ name: 'Selected', value: 'selected', description: 'Only the ones that you choose' },
];

export const THRESHOLD_MODE = [
	{
		name: 'Once',
		value: 'once',
		description: 'Once per link or code, when the count reaches the threshold',
	},
	{
		name: 'Every',
		value: 'every',
		description:
			'When the count reaches each multiple of the threshold. If a count jumps over more than 100 of them, you get one item.',
	},
];

/** What AI agents and workflow builders read. `message` is for n8n before 2.41, the other for later ones. */
const ADVICE =
	'Starts a workflow when short links or QR codes are created, clicked or scanned. It polls and reports each change once, from the second poll on: no Schedule Trigger, no Remove Duplicates, no comparing of counts of your own. For an alert at a number of clicks or scans, use linkClickThreshold or qrCodeScanThreshold.';

export const builderHint = { searchHint: ADVICE, message: ADVICE };

/** What a test event of counts is: n8n evaluates the condition in the editor, which does not know the item. */
export const hints: NodeHint[] = [
	{
		message:
			'A test event is a sample, marked sample: true. A test knows no earlier count, so the previous and new counts are made up. If nothing fits yet, it shows the newest record. Real events have the same fields.',
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'afterExecution',
		displayCondition: `={{ ${JSON.stringify(valuesWhere(({ kind }) => kind !== 'created'))}.includes($parameter["event"]) }}`,
	},
];

export const properties: INodeProperties[] = [
	{
		displayName: 'Event',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: EVENTS.map(({ name, value, action, description }) => ({ name, value, action, description })),
		default: 'linkCreated',
		description: 'What starts the workflow',
	},
	{
		displayName: 'Watch',
		name: 'watch',
		type: 'options',
		options: WATCH,
		default: 'all',
		displayOptions: { show: { event: valuesWhere(({ kind }) => kind !== 'created') } },
		description: 'Which links or QR codes to watch',
	},
	{
		displayName:
			'Each poll reads all links or QR codes of the account, 100 to 1,000 with each request. If you have thousands, poll every few minutes: your plan’s limit then leaves room for other work.',
		name: 'wholeListNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { event: valuesWhere(({ isNewestFirst }) => isNewestFirst !== true), watch: ['all'] } },
	},
	selection('linkIds', 'Link Names or IDs', 'getLinks'),
	selection('qrCodeIds', 'QR Code Names or IDs', 'getQrCodes'),
	{
		displayName: 'Threshold',
		name: 'threshold',
		type: 'number',
		typeOptions: { minValue: 1 },
		required: true,
		default: 100,
		displayOptions: { show: { event: valuesWhere(({ kind }) => kind === 'reached') } },
		description: 'The number of clicks or scans that starts the workflow',
	},
	{
		displayName: 'Threshold Mode',
		name: 'thresholdMode',
		type: 'options',
		options: THRESHOLD_MODE,
		default: 'once',
		displayOptions: { show: { event: valuesWhere(({ kind }) => kind === 'reached') } },
		description: 'How often a link or QR code starts the workflow',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: { show: { event: valuesWhere(({ kind }) => kind !== 'reached') } },
		options: [
			{
				displayName: 'Include Existing',
				name: 'includeExisting',
				type: 'boolean',
				default: false,
				displayOptions: { show: { '/event': valuesWhere(({ kind }) => kind === 'created') } },
				description: 'Whether the first poll reports what exists already. Otherwise, only later changes are reported.',
			},
			{
				displayName: 'Minimum Increase',
				name: 'minimumIncrease',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 1,
				displayOptions: { show: { '/event': valuesWhere(({ kind }) => kind === 'grown') } },
				description: 'How many new clicks or scans a link or QR code needs to be reported',
			},
		],
	},
];
