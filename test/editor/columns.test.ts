/** What the panel says of a sheet's columns before a run: which feed which fields, where they stand, and which are left alone. */
import type { IDataObject } from 'n8n-workflow';

import sheets from '../brought/sheets.json';
import { LINK_MANAGEMENT, workflowOf } from '../n8n/host';
import { type Editor, openEditor } from './editor';

let editor: Editor;

openEditor({}, (opened) => ({ editor } = opened));

const rowsOf = (id: string) => sheets.find((sheet) => sheet.id === id)?.input as unknown as IDataObject[];

const UPSERT = { resource: 'link', operation: 'upsert' };

it.each<[string, IDataObject[], RegExp]>([
	['a sheet from Airtable', rowsOf('airtable-default-record'), /Columns read from fields: Long URL, Alias\./],
	[
		'a page of Notion',
		rowsOf('notion-simplified'),
		/Columns read: property_long_url as Long URL, property_alias as Alias, .*Columns ignored: property_name\./s,
	],
	[
		'a German sheet',
		rowsOf('german-sheet'),
		/Columns read: URL as Long URL, Alias, Titel as Meta Title, Beschreibung as Description, Kampagne as Campaign, Ablaufdatum as Expiry, Passwort as Password\..*Titel becomes the public title.*Ablaufdatum ends the links\..*Columns ignored: Status\./s,
	],
	[
		'a list of logins',
		[{ Tool: 'Mail', URL: 'https://mail.example', Username: 'ana', Password: 'hunter2' }],
		/Columns read: URL as Long URL\..*Left alone beside the name of a user: Password\. To have it read, map the columns by hand\..*Columns ignored: Tool, Username\./s,
	],
	[
		'an Italian list of invoices',
		[{ URL: 'https://shop.example/1', Cliente: 'Rossi', Scadenza: '31/12/2031' }],
		/Left alone, since they may mean something else here: Scadenza\. To have them read, name the column of addresses Long URL/,
	],
	[
		'a sheet of a UTM builder',
		[
			{
				'Final URL': 'https://shop.example/1',
				'Campaign Source': 'newsletter',
				'Campaign Medium': 'email',
				'Campaign Name': 'spring',
				'Tagged URL': 'https://shop.example/1?utm_source=newsletter',
			},
		],
		/Columns read: Final URL as Long URL\..*Left alone, .*: Campaign Name\..*Columns ignored: Campaign Source, Campaign Medium, Tagged URL\./s,
	],
	[
		'an export of Bitly',
		rowsOf('bitly-export-custom-link'),
		/Columns read: Custom Link as Short URL, Title as Meta Title, Destination URL as Long URL\..*Columns ignored: Link, Created\./s,
	],
	['rows in a list', rowsOf('aggregate-list'), /no column that is read: data\. .*add a Split Out node/],
	['no input', [], /^Columns that are read: Long URL, Alias, Short URL and more\. All columns$/],
	['no headings', rowsOf('headings-in-second-row'), /no column that is read: .*set the header row/],
])('%s: the panel says how it is read', async (name, rows, says) => {
	await editor.openWorkflow(workflowOf(UPSERT, rows));
	const { parameters } = await editor.openNode(LINK_MANAGEMENT);
	await parameters.getByText(says).waitFor();
	expect(await parameters.getByTestId('empty-fields-notice').count()).toBe(1);
	if (process.env.LOOK) await editor.page.screenshot({ path: `/tmp/look-${name.replace(/ /g, '-')}.png` });
});
