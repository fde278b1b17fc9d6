import type { INodeProperties } from 'n8n-workflow';

import { EVENTS, type TriggerEvent } from './events';

function valuesWhere(test: (event: TriggerEvent) => boolean): string[] {
	return EVENTS.filter(test).map(({ option }) => option.value);
}

function selection(name: string, displayName: string, loadOptionsMethod: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod },
		required: true,
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

export const properties: INodeProperties[] = [
	{
		displayName: 'Event',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: EVENTS.map(({ option }) => option),
		default: 'linkCreated',
		description: 'What starts the workflow',
	},
	{
		displayName:
			'A poll reads the whole list: one request for each page that the service grants. On a large account, choose an interval of several minutes, so that the request limit of your plan is left for other work. A list that takes longer is read in parts, over several polls.',
		name: 'wholeListNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { event: valuesWhere(({ reading }) => reading === 'all') } },
	},
	{
		displayName: 'Watch',
		name: 'watch',
		type: 'options',
		options: [
			{ name: 'All', value: 'all', description: 'Everything in the account' },
			{ name: 'Selected', value: 'selected', description: 'Only those that you choose' },
		],
		default: 'all',
		displayOptions: { show: { event: valuesWhere(({ kind }) => kind !== 'created') } },
		description: 'Which links or QR codes to watch',
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
		options: [
			{
				name: 'Once',
				value: 'once',
				description: 'When the count reaches the threshold, and again only after its statistics were reset',
			},
			{
				name: 'Every',
				value: 'every',
				description: 'Each time the count reaches another multiple of the threshold',
			},
		],
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
				description: 'Whether the first poll reports what is there already, instead of only what comes later',
			},
			{
				displayName: 'Minimum Increase',
				name: 'minimumIncrease',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 1,
				displayOptions: { show: { '/event': valuesWhere(({ kind }) => kind === 'grown') } },
				description: 'Wait until so many clicks or scans have come together since the last report',
			},
		],
	},
];
