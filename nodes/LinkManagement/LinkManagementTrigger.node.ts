import {
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
	type NodeHint,
} from 'n8n-workflow';

import { testConnection } from './methods/credentialTest';
import { watchable } from './methods/lists';
import { EVENTS, type TriggerEvent } from './trigger/events';
import { poll } from './trigger/poll';
import { sample } from './trigger/sample';
import { readSettings, THRESHOLD_MODE, WATCH } from './trigger/settings';

const FIRST_POLL =
	'The first poll only notes what exists. Later changes start the workflow. Publishing an edit loses nothing.';

const TEST =
	'<b>While building your workflow</b>, click the fetch button. It shows the newest link or QR code that fits, or else the newest one. <code>sample: true</code> marks an item with made-up counts.<br /><br />';

/** What AI agents and workflow builders read. `message` is for n8n before 2.41, the other for later ones. */
const ADVICE =
	'Starts a workflow when short links or QR codes are created, clicked or scanned. It polls and reports each change once, from the second poll on: no Schedule Trigger, no Remove Duplicates, no comparing of counts of your own. For an alert at a number of clicks or scans, use linkClickThreshold or qrCodeScanThreshold.';

const builderHint = { searchHint: ADVICE, message: ADVICE };

/** What a test event of counts is: n8n evaluates the condition in the editor, which does not know the item. */
const hints: NodeHint[] = [
	{
		message:
			'A test event is a sample, marked sample: true. A test knows no earlier count, so the previous and new counts are made up. If nothing fits yet, it shows the newest record. Real events have the same fields.',
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'afterExecution',
		displayCondition: `={{ ${JSON.stringify(valuesWhere(({ kind }) => kind !== 'created'))}.includes($parameter["event"]) }}`,
	},
];

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
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: { show: { event: valuesWhere(({ kind }) => kind === 'grown') } },
		options: [
			{
				displayName: 'Minimum Increase',
				name: 'minimumIncrease',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 1,
				description: 'How many new clicks or scans a link or QR code needs to be reported',
			},
		],
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
		activationMessage: `The trigger checks your account at the poll times that you set. ${FIRST_POLL}`,
		triggerPanel: {
			header: '',
			executionsHelp: {
				inactive: `${TEST}<b>Once you are happy with it</b>, publish the workflow. Its executions then show up in the <a data-key="executions">executions list</a>, but not here.`,
				active: `${TEST}<b>The workflow is published</b> and also runs by itself. Those executions show up in the <a data-key="executions">executions list</a>, but not here.`,
			},
			activationHint: {
				inactive: `Publish the workflow to have it run by itself. ${FIRST_POLL}`,
				active: "The workflow is published: it runs by itself, but those executions don't show up here.",
			},
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		// By its name, for n8n's checks read it here.
		credentials: [{ name: 'linkManagementApi', required: true, testedBy: 'testConnection' }],
		hints,
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
		const settings = readSettings(this);
		return this.getMode() === 'manual' ? await sample(this, settings) : await poll(this, settings);
	}
}
