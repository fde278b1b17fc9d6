import {
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { testConnection } from './methods/credentialTest';
import { watchable } from './methods/lists';
import { EVENTS, type TriggerEvent } from './trigger/events';
import { poll } from './trigger/poll';
import { sample } from './trigger/sample';
import { THRESHOLD_MODE, WATCH } from './trigger/settings';

/** What AI agents and workflow builders read. `message` is for n8n before 2.41, the other for later ones. */
const ADVICE_ON_TRIGGER =
	'Starts a workflow when short links or QR codes are created, clicked or scanned. It polls and reports each change once, from the second poll on: no Schedule Trigger, no Remove Duplicates, no comparing of counts of your own. For an alert at a number of clicks or scans, use linkClickThreshold or qrCodeScanThreshold.';

const builderHint = { searchHint: ADVICE_ON_TRIGGER, message: ADVICE_ON_TRIGGER };

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

const properties: INodeProperties[] = [
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
			"Each poll reads all links or QR codes of the account, 100 to 1,000 with each request. If you have thousands, poll every few minutes: your plan's limit then leaves room for other work.",
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
		displayName:
			'The first poll only notes what exists. After a time in which the workflow was off, all that came in between is reported at once. A node that gets another name begins afresh.',
		name: 'continuesNotice',
		type: 'notice',
		default: '',
	},
];

const subtitle = `={{ (${JSON.stringify(Object.fromEntries(EVENTS.map(({ value, name }) => [value, name])))})[$parameter["event"]] }}`;

export class LinkManagementTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Link Management Trigger',
		name: 'linkManagementTrigger',
		icon: { light: 'file:linkManagement.svg', dark: 'file:linkManagement.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle,
		// In the nodes panel, n8n shows this for both nodes.
		description:
			'Create and manage short links and QR codes, and start workflows when they are created, clicked or scanned',
		defaults: { name: 'Link Management Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		// By its name, for n8n's checks read it here.
		credentials: [{ name: 'linkManagementApi', required: true, testedBy: 'testConnection' }],
		// n8n 2.0's types do not know it.
		...{ builderHint },
		// n8n adds the poll times to this very list.
		properties: [...properties],
	};

	methods = {
		credentialTest: { testConnection },
		loadOptions: watchable,
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return this.getMode() === 'manual' ? await sample(this) : await poll(this);
	}
}
