import { type Sandbox, startSandbox } from '../sandbox';
import { type SharedSession, sharedN8n } from '../n8n/host/shared';
import { Editor, type NodeView } from './editor';
import { eventually } from './eventually';

/** What an operation shows: its parameters in order, and what its collections offer. */
interface Shown {
	parameters: string[];
	collections?: Record<string, string[]>;
	/** Entries of Options besides those that all operations have. */
	options?: string[];
}

const LIST: Shown = { parameters: ['Return All', 'Limit'] };
const CHANNEL_FIELDS = ['Color', 'Description', 'Starred'];
const APPEARANCE = ['Background', 'Foreground', 'Logo'];
const CAMPAIGN_FIELDS = ['Public', 'Slug'];
const DOMAIN_FIELDS = ['Not Found Redirect URL', 'Root Redirect URL'];

const LINK_FIELDS = [
	'Alias',
	'Campaign',
	'Channel',
	'Deep Link',
	'Description',
	'Device Targeting',
	'Domain',
	'Expiry',
	'Geo Targeting',
	'Language Targeting',
	'Meta Description',
	'Meta Image URL',
	'Meta Title',
	'Password',
	'Pixel Names or IDs',
	'Redirection Type',
	'Status',
	'URL Parameters',
	'UTM Parameters',
];
/** What fits into no column of a sheet. */
const FIELDS_BESIDE_COLUMNS = [
	'Deep Link',
	'Device Targeting',
	'Geo Targeting',
	'Language Targeting',
	'URL Parameters',
	'UTM Parameters',
];
/** An update may change the long URL, and can't change the domain. */
const CHANGEABLE_LINK_FIELDS = [...LINK_FIELDS.filter((name) => name !== 'Domain'), 'Long URL'].sort();

/** Every resource and operation, by the names in the editor. */
const OPERATIONS: Record<string, Record<string, Shown>> = {
	Link: {
		Create: {
			parameters: ['Long URL', 'Additional Fields'],
			collections: { 'Additional Fields': LINK_FIELDS },
			options: ['If Alias Exists', 'If Long URL Exists', 'If Name Is Missing'],
		},
		'Create or Update': {
			// The editor gives a resource mapper's own parts their labels.
			parameters: ['Mapping Column Mode', 'Additional Fields'],
			collections: { 'Additional Fields': FIELDS_BESIDE_COLUMNS },
			options: ['Dry Run', 'If Name Is Missing', 'Match On', 'Update When'],
		},
		Delete: { parameters: ['Link'] },
		Get: { parameters: ['Link', 'Simplify'], options: ['Details'] },
		'Get Many': { parameters: ['Return All', 'Limit', 'Filters'], collections: { Filters: ['Order', 'Search'] } },
		Update: {
			parameters: ['Link', 'Update Fields'],
			collections: { 'Update Fields': CHANGEABLE_LINK_FIELDS },
			options: ['If Name Is Missing'],
		},
	},
	'QR Code': {
		Create: {
			parameters: ['Type', 'URL', 'Additional Fields'],
			collections: { 'Additional Fields': [...APPEARANCE, 'Name'] },
			options: ['Download Picture', 'Put Output File in Field'],
		},
		Delete: { parameters: ['QR Code'] },
		Download: { parameters: ['QR Code', 'Put Output File in Field'] },
		Get: { parameters: ['QR Code', 'Simplify'] },
		'Get Many': LIST,
		Update: {
			parameters: ['QR Code', 'Data Format', 'Data', 'Update Fields'],
			collections: { 'Update Fields': [...APPEARANCE, 'Type'] },
		},
	},
	Campaign: {
		'Assign Link': { parameters: ['Campaign', 'Link'], options: ['If Name Is Missing'] },
		Create: { parameters: ['Name', 'Additional Fields'], collections: { 'Additional Fields': CAMPAIGN_FIELDS } },
		Delete: { parameters: ['Campaign'], options: ['If Name Is Missing'] },
		'Get Many': LIST,
		Update: {
			parameters: ['Campaign', 'Name', 'Update Fields'],
			collections: { 'Update Fields': CAMPAIGN_FIELDS },
			options: ['If Name Is Missing'],
		},
	},
	Channel: {
		'Assign Item': { parameters: ['Channel', 'Item Type', 'Link'], options: ['If Name Is Missing'] },
		Create: { parameters: ['Name', 'Additional Fields'], collections: { 'Additional Fields': CHANNEL_FIELDS } },
		Delete: { parameters: ['Channel'], options: ['If Name Is Missing'] },
		'Get Items': { parameters: ['Channel', ...LIST.parameters], options: ['If Name Is Missing'] },
		'Get Many': LIST,
		Update: {
			parameters: ['Channel', 'Update Fields'],
			collections: { 'Update Fields': ['Color', 'Description', 'Name', 'Starred'] },
			options: ['If Name Is Missing'],
		},
	},
	Domain: {
		Create: { parameters: ['Domain', 'Additional Fields'], collections: { 'Additional Fields': DOMAIN_FIELDS } },
		Delete: { parameters: ['Domain'] },
		'Get Many': LIST,
		Update: { parameters: ['Domain', 'Update Fields'], collections: { 'Update Fields': DOMAIN_FIELDS } },
	},
	Pixel: {
		Create: { parameters: ['Pixel Type', 'Name', 'Tag'] },
		Delete: { parameters: ['Pixel'] },
		'Get Many': LIST,
		Update: { parameters: ['Pixel', 'Tag', 'Update Fields'], collections: { 'Update Fields': ['Name'] } },
	},
	Overlay: { 'Get Many': LIST },
	'Splash Page': { 'Get Many': LIST },
	Account: {
		Get: { parameters: [] },
		Update: { parameters: ['Update Fields'], collections: { 'Update Fields': ['Email', 'Password'] } },
	},
};

let n8n: SharedSession;
let sandbox: Sandbox;
let editor: Editor;
let node: NodeView;

beforeAll(async () => {
	n8n = await sharedN8n();
	sandbox = await startSandbox({ limit: { requests: null } });
	await n8n.createCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
	editor = await Editor.open(n8n);
	node = await editor.openNodeWith({});
});

afterAll(async () => {
	await editor?.close();
	await sandbox?.stop();
});

/** The labels below the operation selector, as they come to stand there. */
async function expectLabels(labels: string[]): Promise<void> {
	await eventually(async () => expect(await node.labels()).toEqual(labels));
}

describe('the node in the editor', () => {
	it('offers every resource', async () => {
		expect(await node.choices('resource')).toEqual([...Object.keys(OPERATIONS), 'Custom API Call']);
	});

	describe.each(Object.entries(OPERATIONS))('%s', (resource, operations) => {
		it('offers its operations', async () => {
			await node.choose('resource', resource);
			expect(await node.choices('operation')).toEqual([...Object.keys(operations), 'Custom API Call']);
		});

		it.each(Object.entries(operations))(
			'%s shows its own fields and no others',
			async (operation, { parameters, collections = {}, options = [] }) => {
				await node.choose('operation', operation);
				await expectLabels(['Resource', 'Operation', ...parameters, 'Options']);
				for (const [collection, fields] of Object.entries(collections))
					expect(await node.additions(collection)).toEqual(fields);
				const common = ['If Rate Limited', ...(parameters.includes('Return All') ? [] : ['Include Input Fields'])];
				expect(await node.additions('Options')).toEqual([...options, ...common].sort());
			},
		);
	});
});
