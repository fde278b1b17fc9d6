/** For AI agents and workflow builders. n8n before 2.41 reads `message`, later versions the others. */
const ADVICE_ON_NODE =
	'Keeps to the rate limit by itself: give it all rows at once, without Loop Over Items, Wait or batching. For sheets use link:upsert (Create or Update), or give each row an alias: a second run then makes nothing twice. Where rows may be bad, set On Error to Continue: each comes out with what is wrong. As a tool of an agent it takes one call at a time: give $fromAI to the fields that the model fills in, with mappingMode defineBelow for columns.';

export const builderHint = {
	searchHint: ADVICE_ON_NODE,
	message: ADVICE_ON_NODE,
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-link-management.linkManagementTrigger',
			relationHint: 'Starts a workflow when links or QR codes are created, clicked or scanned',
		},
		{ nodeType: 'n8n-nodes-base.googleSheets', relationHint: 'Rows in, short URLs back' },
	],
};
