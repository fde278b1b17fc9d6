import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { authenticated } from '../nodes/LinkManagement/service/connection';

/** It may be as secret as the key, though its name does not say so: a cookie or token for what stands in front of the service. */
const HEADER_VALUE: INodeProperties = {
	displayName: 'Header Value',
	name: 'headerValue',
	type: 'string',
	typeOptions: { password: true },
	displayOptions: { show: { header: [true] } },
	default: '',
};

/** A switch, as n8n's own credentials have it: its name sounds like that of a secret. */
const IGNORE_CERTIFICATES: INodeProperties = {
	displayName: 'Ignore SSL Issues (Insecure)',
	name: 'allowUnauthorizedCerts',
	type: 'boolean',
	default: false,
	description: 'Whether to connect even if SSL certificate validation is not possible',
};

export class LinkManagementApi implements ICredentialType {
	name = 'linkManagementApi';

	displayName = 'Link Management API';

	icon: Icon = {
		light: 'file:../nodes/LinkManagement/linkManagement.svg',
		dark: 'file:../nodes/LinkManagement/linkManagement.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-link-management/n8n-nodes-link-management#a-first-link-in-two-minutes';

	/** The key is only ever sent to the Base URL: n8n's fields about domains would have nothing to add. Later versions know this. */
	hideDomainRestrictionFields = true;

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://links.example.com',
			description: 'Address of your link service',
			hint: 'Where you sign in to your service, for example https://links.example.com. Your key is only ever sent there.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			hint: 'Find your API key in your account settings',
		},
		{
			displayName: 'Add Custom Header',
			name: 'header',
			type: 'boolean',
			default: false,
			description:
				'Whether to send a header of your own with every request. Only services behind bot protection need one.',
		},
		{
			displayName: 'Header Name',
			name: 'headerName',
			type: 'string',
			displayOptions: { show: { header: [true] } },
			default: '',
			placeholder: 'e.g. User-Agent',
		},
		HEADER_VALUE,
		IGNORE_CERTIFICATES,
	];

	/** A function, for it is checked and costs less for each request than an expression; see `authenticated`. */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => authenticated(credentials, request);
}
