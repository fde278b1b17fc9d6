/**
 * docs/troubleshooting.md: each message that stands there is brought about, and read from what the user sees. Those that the
 * credential's test says as well, credentialTest.test.ts brings about.
 */
import type { IDataObject } from 'n8n-workflow';

import { by, run } from '../engine/host';
import { TriggerHost } from '../engine/pollHost';
import type { Sandbox } from '../sandbox';
import { freshSandbox } from '../sandbox/fresh';
import { page, tableOf } from './markdown';

let sandbox: Sandbox;

freshSandbox({ limit: { requests: null }, onViolation: () => undefined }, (started) => (sandbox = started));

const ours = () => ({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
const account = { resource: 'account', operation: 'get' };
const link = (fields: IDataObject = {}, more: IDataObject = {}) => ({
	resource: 'link',
	operation: 'create',
	url: 'https://example.com',
	linkFields: fields,
	...more,
});

/** The message of the error that these parameters end in. */
async function messageOf(parameters: IDataObject, credential = ours()): Promise<string> {
	const { error } = await run(parameters, { credential });
	return error?.message ?? '';
}

/** How each message comes about. */
const situations: Record<string, () => Promise<string>> = {
	'The service answered with a web page instead of data': async () => {
		await messageOf(account);
		await sandbox.setFaults([{ kind: 'html', status: 500, match: { method: 'POST' } }]);
		return await messageOf(link());
	},
	'The service could not handle this request': async () => {
		await sandbox.setFaults([{ kind: 'errorEnvelope', status: 500, message: '' }]);
		return await messageOf(account);
	},
	'an empty answer': async () => {
		await messageOf(account);
		await sandbox.configure({ deviations: { validationError: 'empty' } });
		return await messageOf({ resource: 'account', operation: 'update', accountFields: { password: 'abc' } });
	},
	'It may have been created anyway': async () => {
		await sandbox.setFaults([{ kind: 'dropAfter', match: { method: 'POST' }, times: 1 }]);
		return await messageOf(link());
	},
	'That alias is taken': async () => {
		await messageOf(link({ custom: 'mine' }));
		return await messageOf(link({ custom: 'mine' }));
	},
	'The service changes the long URL of new links': async () => {
		await sandbox.configure({ deviations: { longUrlKept: 'tagged', knownLongUrl: 'new' } });
		const columns = { mappingMode: 'autoMapInputData', value: null };
		const rows = [1, 2].map((at) => ({ long_url: `https://example.com/${at}` }));
		const { error } = await run({ resource: 'link', operation: 'upsert', columns }, { credential: ours(), rows });
		return error?.message ?? '';
	},
	'… is not a web address': async () => await messageOf(link({}, { url: 'example' })),
	'… is not an ID': async () =>
		await messageOf({ resource: 'link', operation: 'get', linkId: by('id', '={{ "spring" }}') }),
	'… is not a date': async () => await messageOf(link({ expiry: 'tomorrow' })),
	'… is not a color': async () =>
		await messageOf({ resource: 'channel', operation: 'create', name: 'News', channelFields: { color: 'reddish' } }),
	'Deep Link needs Device Targeting': async () => await messageOf(link({ deeplink: { value: { auto: true } } })),
	'There is no link in the account yet': async () => {
		await sandbox.reset({ records: { links: 0 } });
		const trigger = new TriggerHost({ credential: ours(), parameters: { event: 'linkCreated' } });
		return await trigger.fetchTestEvent().then(
			() => '',
			(error: Error) => error.message,
		);
	},
};

const troubleshooting = page('docs/troubleshooting.md');
const rows = tableOf(troubleshooting);
const messages = rows.flatMap(([seen]) => [...seen.matchAll(/\*([^*]+)\*/g)].map(([, message]) => message));
const shownByTest = page('docs/proof/credential.md');

/** What a user sees of a message, with anything in place of its dots. */
function patternOf(message: string): RegExp {
	const parts = message.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(parts.join('.+'));
}

test('the page names the messages that are brought about, and each row says what to do', () => {
	expect(messages).toEqual(expect.arrayContaining(Object.keys(situations)));
	const others = messages.filter((message) => !(message in situations));
	expect(others.filter((message) => !patternOf(message).test(shownByTest))).toEqual([]);
	for (const [seen, advice] of rows) {
		expect(seen).toMatch(/\*.+\*/);
		expect(advice).not.toBe('');
	}
});

test.each(Object.entries(situations))('a user sees: %s', async (message, bringAbout) => {
	expect(await bringAbout()).toMatch(patternOf(message));
});
