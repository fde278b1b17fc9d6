import type { NodeHint } from 'n8n-workflow';

const MANY_ROWS = 30;

/** A condition: whether the input has a column of one of these names, whatever its case and spaces. */
function hasColumn(...keys: string[]): string {
	return `Object.keys($input.first().json).some((title) => ${JSON.stringify(keys)}.includes(title.toLowerCase().replace(/[\\s_-]+/g, "")))`;
}

/** The same condition where columns are found by themselves. */
function mapsBySelf(condition: string): string {
	return `={{ $parameter["operation"] === "upsert" && $parameter["columns"]["mappingMode"] === "autoMapInputData" && ${condition} }}`;
}

/**
 * What the editor says before a run, where the input or the settings give reason to. n8n evaluates the conditions in the editor
 * alone; without input data they fail, and the hint stays away.
 */
export const hints: NodeHint[] = [
	{
		message:
			'The node keeps to the request limit of your plan by itself: at 30 a minute, 100 rows take about 4 minutes. It needs no Wait, no loop and no batching.',
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: `={{ $input.all().length > ${MANY_ROWS} && $parameter["operation"] !== "getAll" }}`,
	},
	{
		message:
			'Give each row an alias (Additional Fields → Alias), or use the operation Create or Update: then this can be run again without making links twice.',
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'always',
		displayCondition:
			'={{ $input.all().length > 1 && $parameter["resource"] === "link" && $parameter["operation"] === "create" && !($rawParameter["linkFields"] || {})["custom"] }}',
	},
	{
		message:
			'No column of the input is a Long URL or an Alias: name one of them so, or choose Map Each Column Manually under Mapping Column Mode.',
		type: 'warning',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: mapsBySelf(`!${hasColumn('longurl', 'url', 'alias', 'custom')}`),
	},
	{
		message:
			'A column looks like a Long URL, but has another name. Did you mean Long URL? Rename it, or choose Map Each Column Manually under Mapping Column Mode.',
		type: 'warning',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: mapsBySelf(
			`!${hasColumn('longurl', 'url')} && ${hasColumn('urladdress', 'targeturl', 'targetlink', 'target', 'destination', 'destinationurl', 'originalurl', 'fullurl', 'link', 'website', 'landingpage')}`,
		),
	},
	{
		message:
			'The column Title is taken for Meta Title, the public title of link previews. If it is for you alone, rename it; a column Description is a note that only you see.',
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: mapsBySelf(`${hasColumn('title')} && !${hasColumn('metatitle')}`),
	},
];

/** What AI agents and workflow builders are told. `message` is for n8n before 2.41, the others for later ones. */
const ADVICE =
	'Shortens URLs, makes QR codes, counts clicks. Keeps to the rate limit by itself: give it all rows at once, without Loop Over Items, Wait or batching. For sheets use link:upsert (Create or Update), or give each row an alias: a second run then makes nothing twice. Set On Error to Continue where rows may be bad: each comes out with what is wrong beside its own data.';

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
