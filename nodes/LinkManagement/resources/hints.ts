import type { NodeHint } from 'n8n-workflow';

function hint(message: string, displayCondition: string, more: Partial<NodeHint> = {}): NodeHint {
	return { message, type: 'info', location: 'outputPane', whenToDisplay: 'beforeExecution', displayCondition, ...more };
}

/**
 * Hints in the editor before a run. n8n evaluates their conditions only in the editor; without input data, no hint is shown.
 */
export const hints: NodeHint[] = [
	hint(
		'The node respects the request limit of your plan: at 30 requests a minute, 100 rows take about 4 minutes. You need no Wait node, no loop and no batching.',
		'={{ $input.all().length > 30 && $parameter["operation"] !== "getAll" }}',
	),
	hint(
		'To run this again without creating links twice, give each row an alias (Additional Fields → Alias), or use the operation Create or Update.',
		'={{ $input.all().length > 1 && $parameter["resource"] === "link" && $parameter["operation"] === "create" && !($rawParameter["linkFields"] || {})["custom"] }}',
		{ whenToDisplay: 'always' },
	),
];

/** For AI agents and workflow builders. n8n before 2.41 reads `message`, later versions the others. */
const ADVICE =
	'Keeps to the rate limit by itself: give it all rows at once, without Loop Over Items, Wait or batching. For sheets use link:upsert (Create or Update), or give each row an alias: a second run then makes nothing twice. Where rows may be bad, set On Error to Continue: each comes out with what is wrong. As a tool of an agent it takes one call at a time: give $fromAI to the fields that the model fills in, with mappingMode defineBelow for columns.';

export const builderHint = {
	searchHint: ADVICE,
	message: ADVICE,
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-link-management.linkManagementTrigger',
			relationHint: 'Starts a workflow when links or QR codes are created, clicked or scanned',
		},
		{ nodeType: 'n8n-nodes-base.googleSheets', relationHint: 'Rows in, short URLs back' },
	],
};
