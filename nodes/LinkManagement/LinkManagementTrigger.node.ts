import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { testConnection } from './methods/credentialTest';
import { watchable } from './methods/lists';
import { poll } from './trigger/poll';
import { builderHint, hints, properties, subtitle } from './trigger/properties';
import { sample } from './trigger/sample';
import { readSettings } from './trigger/settings';

const FIRST_POLL = 'The first poll only notes what exists. Later changes start the workflow.';

const TEST =
	'<b>While building your workflow</b>, click the fetch button. It shows the newest link or QR code that fits, or else the newest one. <code>sample: true</code> marks an item with made-up counts.<br /><br />';

export class LinkManagementTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Link Management Trigger',
		name: 'linkManagementTrigger',
		icon: { light: 'file:linkManagement.svg', dark: 'file:linkManagement.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle,
		// In the nodes panel, n8n shows this for both nodes.
		description: 'Short links and QR codes; the trigger starts the workflow when they are created, clicked or scanned',
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
				active: 'The workflow is published: it runs by itself, but those executions don’t show up here.',
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
