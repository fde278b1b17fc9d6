import { type Sandbox, startSandbox } from '../sandbox';
import { type SharedSession, sharedN8n } from '../n8n/host/shared';
import { Editor, type NodeView } from './editor';
import { eventually } from './eventually';

/** What an operation shows: its parameters in order, and what its collections offer. */
interface Shown {
	parameters: string[];
	collections?: Record<string, string[]>;
	/** Entries of Options beside those that all operations have. */
	options?: string[];
}

const LIST: Shown = { parameters: ['Return All', 'Limit'] };
const CHANNEL_FIELDS = ['Color', 'Description', 'Starred'];
const APPEARANCE = ['Background', 'Foreground', 'Logo'];
const CAMPAIGN_FIELDS = ['Public', 'Slug'];
const DOMAIN_FIELDS = ['Not Found Redirect URL', 'Root Redirect URL'];

/** Every resource and operation, by the names in the editor. */
const OPERATIONS: Record<string, Record<string, Shown>> = {
	Account: {
		Get: { parameters: [] },
		Update: { parameters: ['Update Fields'], collections: { 'Update Fields': ['Email', 'Password'] } },
	},
	Campaign: {
		'Assign Link': { parameters: ['Campaign', 'Link'] },
		Create: { parameters: ['Name', 'Additional Fields'], collections: { 'Additional Fields': CAMPAIGN_FIELDS } },
		Delete: { parameters: ['Campaign'] },
		'Get Many': LIST,
		Update: { parameters: ['Campaign', 'Name', 'Update Fields'], collections: { 'Update Fields': CAMPAIGN_FIELDS } },
	},
	Channel: {
		'Assign Item': { parameters: ['Channel', 'Item Type', 'Item'] },
		Create: { parameters: ['Name', 'Additional Fields'], collections: { 'Additional Fields': CHANNEL_FIELDS } },
		Delete: { parameters: ['Channel'] },
		'Get Items': { parameters: ['Channel', ...LIST.parameters] },
		'Get Many': LIST,
		Update: { parameters: ['Channel', 'Update Fields'], collections: { 'Update Fields': ['Color', 'Description', 'Name', 'Starred'] } },
	},
	Domain: {
		Create: { parameters: ['Domain', 'Additional Fields'], collections: { 'Additional Fields': DOMAIN_FIELDS } },
		Delete: { parameters: ['Domain'] },
		'Get Many': LIST,
		Update: { parameters: ['Domain', 'Update Fields'], collections: { 'Update Fields': DOMAIN_FIELDS } },
	},
	Link: {
		Create: {
			parameters: ['Long URL', 'Additional Fields'],
			collections: {
				'Additional Fields': [
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
					'Parameters',
					'Password',
					'Pixel IDs',
					'Redirection Type',
					'Status',
				],
			},
			options: ['If Alias Exists'],
		},
		Get: { parameters: ['Link', 'Simplify'] },
		'Get Many': { parameters: ['Return All', 'Limit', 'Filters'], collections: { Filters: ['Order', 'Search'] } },
	},
	Overlay: { 'Get Many': LIST },
	'QR Code': {
		Create: { parameters: ['Type', 'Data', 'Additional Fields'], collections: { 'Additional Fields': [...APPEARANCE, 'Name'] } },
		Delete: { parameters: ['QR Code'] },
		Get: { parameters: ['QR Code', 'Simplify'] },
		'Get Many': LIST,
		Update: {
			parameters: ['QR Code', 'Data Format', 'Data', 'Update Fields'],
			collections: { 'Update Fields': [...APPEARANCE, 'Type'] },
		},
	},
	'Splash Page': { 'Get Many': LIST },
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

		it.each(Object.entries(operations))('%s shows its own fields and no others', async (operation, { parameters, collections = {}, options = [] }) => {
			await node.choose('operation', operation);
			await expectLabels(['Resource', 'Operation', ...parameters, 'Options']);
			for (const [collection, fields] of Object.entries(collections)) expect(await node.additions(collection)).toEqual(fields);
			expect(await node.additions('Options')).toEqual([...options, 'If Rate Limited']);
		});
	});
});
