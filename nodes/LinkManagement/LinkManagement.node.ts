import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

import { customOperations, nodeProperties, nodeSubtitle } from './fields/operation';
import { testConnection } from './methods/credentialTest';
import { listSearches } from './methods/lists';
import { optionLoaders, resourceMappings, resources } from './resources';
import { builderHint } from './resources/builderHint';
import { REQUEST_DEFAULTS } from './service/connection';

export class LinkManagement implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Link Management',
		name: 'linkManagement',
		icon: { light: 'file:linkManagement.svg', dark: 'file:linkManagement.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: nodeSubtitle(resources),
		description: 'Shorten links, make QR codes, and manage branded domains, campaigns and channels',
		defaults: { name: 'Link Management' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		// By its name, for n8n's checks read it here.
		credentials: [{ name: 'linkManagementApi', required: true, testedBy: 'testConnection' }],
		requestDefaults: REQUEST_DEFAULTS,
		// n8n 2.0's types do not know it.
		...{ builderHint },
		properties: nodeProperties(resources),
	};

	customOperations = customOperations(resources);

	methods = {
		credentialTest: { testConnection },
		listSearch: listSearches,
		loadOptions: optionLoaders,
		resourceMapping: resourceMappings,
	};
}
