import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { isAtService, serviceAddress } from '../nodes/LinkManagement/api/baseUrl';
import { serviceKey } from '../nodes/LinkManagement/api/apiKey';

/**
 * Redirects are never followed with the key: n8n would take it along to a subdomain of the service, at least. n8n's two ways to
 * send a request have settings of their own for that (the second one is that of Custom API Call).
 */
const NO_REDIRECT = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
	sendCredentialsOnCrossOriginRedirect: false,
};

export class LinkManagementApi implements ICredentialType {
	name = 'linkManagementApi';

	displayName = 'Link Management API';

	icon: Icon = {
		light: 'file:../nodes/LinkManagement/linkManagement.svg',
		dark: 'file:../nodes/LinkManagement/linkManagement.dark.svg',
	};

	documentationUrl = 'https://github.com/n8n-nodes-link-management/n8n-nodes-link-management#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://links.example.com',
			description: 'Address of your link service, as in the browser',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			hint: 'The service made it when you registered; you find it in your account there',
		},
	];

	/**
	 * Adds the key (spec, "Authentication", 1) to requests to the service itself; a request to any other host is refused.
	 * A function, for it is checked and costs less for each request than an expression.
	 *
	 * @throws Error when the request would go elsewhere
	 */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const address = serviceAddress(credentials.baseUrl);
		// The HTTP Request node names the address `uri`.
		const { uri } = request as { uri?: string };
		const target = request.url ?? uri ?? '';
		if (!isAtService(address, request.baseURL === undefined ? target : new URL(target, request.baseURL).href)) {
			throw new Error(
				'The key of this credential is only sent to the Base URL of the credential. Use that address, or another credential.',
			);
		}
		return {
			...request,
			headers: { ...request.headers, authorization: `Bearer ${serviceKey(credentials.apiKey)}` },
			...NO_REDIRECT,
		};
	};
}
