/**
 * Calls as models make them, and what came back: values as text, names in place of IDs, empty text and "null" for what is left
 * out; and mistakes, each with the call that follows on what the message says.
 *
 * They are made in this order, on the account that the pages' examples start from (test/documentation/examples.ts).
 */
import type { IDataObject } from 'n8n-workflow';

import { by } from './engine/host';
import type { Sandbox } from './sandbox';

/** What a model gives to a tool, and what it gets. */
export interface RecordedCall {
	input: IDataObject;
	/** What is in the first record that comes back, or in the only one; null where a list is empty. */
	gives?: Record<string, unknown> | null;
	/** What the message says, where the call is refused: the parameter, what is wrong with it, and what to do. */
	refused?: RegExp[];
}

/** A tool, as its builder sets it up in the editor, and the calls of it. */
export interface RecordedTool {
	/** The name of its node. */
	name: string;
	parameters: IDataObject & { resource: string; operation: string };
	calls: RecordedCall[];
}

/** A value that the model gives, as the editor's "Let the model define this parameter" writes it. */
function ai(key: string, description = '', type = 'string'): string {
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${description}\`, '${type}') }}`;
}

/** A call, and what is in the first record that comes back, or in the only one. */
function gives(input: IDataObject, record: RecordedCall['gives']): RecordedCall {
	return { input, gives: record };
}

/** A call that is refused, and what the message says. */
function refused(input: IDataObject, ...message: RegExp[]): RecordedCall {
	return { input, refused: message };
}

const RECORDED: RecordedTool[] = [
	{
		name: 'Create a short link',
		parameters: {
			resource: 'link',
			operation: 'create',
			url: ai('Long_URL', 'The address to shorten'),
			linkFields: {
				custom: ai('Alias'),
				campaign: by('id', ai('Campaign')),
				channel: by('list', ai('Channel')),
				domain: by('url', ai('Domain')),
				expiry: ai('Expiry'),
				pixels: ai('Pixel_Names_or_IDs'),
				status: ai('Status'),
			},
		},
		calls: [
			refused(
				{ Long_URL: 'https://example.com/summer', Alias: 'summer', Campaign: 'Lanch' },
				/no campaign named "Lanch"/,
				/did you mean "Launch"/,
			),
			gives(
				{
					Long_URL: 'https://example.com/summer',
					Alias: 'summer',
					Campaign: 'Launch',
					Channel: 'press',
					Expiry: '2031-06-30',
					Pixel_Names_or_IDs: '91',
					Status: 'public',
				},
				{ alias: 'summer', longurl: 'https://example.com/summer' },
			),
			refused(
				{ Long_URL: 'https://example.com/winter', Alias: 'summer' },
				/alias is taken/i,
				/alias "summer"/,
				/Create or Update/,
			),
			gives(
				{
					Long_URL: 'https://example.com/winter',
					Alias: 'null',
					Campaign: 'null',
					Domain: 'null',
					Expiry: 'null',
					Pixel_Names_or_IDs: 'null',
					Status: 'null',
				},
				{ longurl: 'https://example.com/winter', alias: expect.not.stringMatching(/^null$/) },
			),
		],
	},
	{
		name: 'Keep a short link',
		parameters: {
			resource: 'link',
			operation: 'upsert',
			columns: {
				mappingMode: 'defineBelow',
				value: { url: ai('Long_URL'), custom: ai('Alias'), metatitle: ai('Meta_Title') },
			},
			options: { dryRun: ai('Dry_Run') },
		},
		calls: [
			gives(
				{ Long_URL: 'https://example.com/spring-2', Alias: 'spring', Meta_Title: 'null', Dry_Run: 'false' },
				{ action: 'updated', alias: 'spring', longurl: 'https://example.com/spring-2' },
			),
		],
	},
	{
		name: 'Find short links',
		parameters: {
			resource: 'link',
			operation: 'getAll',
			limit: ai('Limit'),
			filters: { q: ai('Search'), order: ai('Order') },
		},
		calls: [
			gives({ Limit: '10', Search: 'nothing like it' }, null),
			refused({ Order: 'clicks' }, /Order is "clicks"/, /click, date/),
			gives({ Limit: '1', Search: 'spring', Order: 'click' }, { id: 12 }),
		],
	},
	{
		name: 'Put into a channel',
		parameters: {
			resource: 'channel',
			operation: 'assignItem',
			channelId: by('id', ai('Channel')),
			itemType: ai('Item_Type'),
			linkId: by('id', ai('Link')),
			qrCodeId: by('id', ai('QR_Code')),
		},
		calls: [
			refused(
				{ Channel: 'Press', Item_Type: 'links', Link: 'spring' },
				/Link is not an ID: "spring"/,
				/whole short URL/,
			),
			gives(
				{ Channel: 'Press', Item_Type: 'links', Link: 'SHORT/spring', QR_Code: 'null' },
				{ success: true, channelId: 41, linkId: 12 },
			),
		],
	},
];

/** What a call has no value for, the model gives as empty text. */
function complete(tool: RecordedTool): RecordedTool {
	const asked = [...JSON.stringify(tool.parameters).matchAll(/\$fromAI\('(\w+)'/g)].map(([, key]) => [key, '']);
	const blank = Object.fromEntries(asked) as IDataObject;
	return { ...tool, calls: tool.calls.map((call) => ({ ...call, input: { ...blank, ...call.input } })) };
}

export const TOOLS = RECORDED.map(complete);

/** What a model gives, where the account's short links begin with this. */
export function inputOf({ input }: RecordedCall, shortUrls: string): IDataObject {
	return JSON.parse(JSON.stringify(input).replaceAll('SHORT', shortUrls)) as IDataObject;
}

/** What the account's short links begin with: the service's own address, or another one. */
export async function shortUrlsOf(sandbox: Sandbox): Promise<string> {
	const [{ shorturl }] = (await sandbox.links()).filter(({ alias }) => alias === 'spring');
	return shorturl.replace(/\/spring$/, '');
}

/** Compares what a model got with what is recorded. */
export function expectAnswer(
	{ gives, refused }: RecordedCall,
	answer: { records: unknown[] } | { message: string },
	shortUrls: string,
): void {
	if (refused !== undefined) {
		expect(Object.keys(answer)).toEqual(['message']);
		const message = 'message' in answer ? answer.message.replaceAll(shortUrls, 'SHORT') : '';
		for (const part of refused) expect(message).toMatch(part);
		// Neither of them means anything to a model.
		expect(message).not.toMatch(/\[item |^Item \d/);
		return;
	}
	// A refusal shows here with what it says.
	expect(answer).toHaveProperty('records');
	const records = 'records' in answer ? answer.records : [];
	if (gives === null) expect(records).toEqual([]);
	else expect(records[0]).toMatchObject(gives ?? {});
}
