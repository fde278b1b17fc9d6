/**
 * What every n8n process of the tests has in its environment: nothing of the caller's own n8n settings, and no calls to n8n's
 * own services.
 *
 * @param userFolder n8n's N8N_USER_FOLDER
 * @param filesFolder the only folder that workflows may read and write
 * @param brokerPort a free port for the task runners
 */
export function baseEnvironment(userFolder: string, filesFolder: string, brokerPort: number): NodeJS.ProcessEnv {
	return {
		PATH: process.env.PATH,
		HOME: process.env.HOME,
		N8N_USER_FOLDER: userFolder,
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_RESTRICT_FILE_ACCESS_TO: filesFolder,
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		EXECUTIONS_DATA_PRUNE: 'false',
	};
}
