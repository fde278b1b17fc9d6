/** Who polls, and how n8n keeps the state of a trigger: beside the execution (its default), the same from its scheduler, or together with it. */
type CursorMode = 'plain' | 'scheduled' | 'durable';

/** What n8n's scheduler needs to poll. */
const SCHEDULER = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};

/** What its durable cursors need besides. */
export const DURABLE = { ...SCHEDULER, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' };

/** Short intervals, so that a run polls often. */
const OFTEN = {
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
	N8N_SCHEDULER_REAPER_INTERVAL: '2',
	N8N_SCHEDULER_LEASE_DURATION: '15',
};

export const SETTINGS: Record<CursorMode, Record<string, string>> = {
	plain: {},
	scheduled: { ...SCHEDULER, ...OFTEN },
	durable: { ...DURABLE, ...OFTEN },
};
