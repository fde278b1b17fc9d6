import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { testConnection } from './service/connectionTest';
import { choices } from './trigger/choices';
import { poll } from './trigger/poll';
import { properties } from './trigger/properties';
import { sample } from './trigger/sample';
import { readSettings } from './trigger/settings';

export class LinkManagementTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Link Management Trigger',
		name: 'linkManagementTrigger',
		icon: { light: 'file:linkManagement.svg', dark: 'file:linkManagement.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["event"] }}',
		description: 'Starts the workflow when links or QR codes are created, clicked or scanned',
		defaults: { name: 'Link Management Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		// By its name, for n8n's checks read it here.
		credentials: [{ name: 'linkManagementApi', required: true, testedBy: 'testConnection' }],
		// n8n adds the poll times to this very list.
		properties: [...properties],
	};

	methods = {
		credentialTest: { testConnection },
		loadOptions: choices,
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const settings = readSettings(this);
		return this.getMode() === 'manual' ? await sample(this, settings) : await poll(this, settings);
	}
}
