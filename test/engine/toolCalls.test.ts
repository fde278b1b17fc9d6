/** The node as a tool: recorded calls of models, good ones and bad ones, each with what comes back. */
import type { IDataObject } from 'n8n-workflow';

import { resources } from '../../nodes/LinkManagement/resources';
import { prepareAccount } from '../documentation/examples';
import { startSandbox, type Sandbox } from '../sandbox';
import { expectAnswer, inputOf, shortUrlsOf, TOOLS, type RecordedCall, type RecordedTool } from '../toolCalls';
import { agentWith, answersTo } from './agent';

let sandbox: Sandbox;
let shortUrls: string;

beforeAll(async () => {
	sandbox = await startSandbox({ dialect: 'field' });
	await prepareAccount(sandbox, 'field');
	shortUrls = await shortUrlsOf(sandbox);
});

afterAll(async () => {
	await sandbox.stop();
});

test('there are calls of every operation that reads, creates or changes', () => {
	const operations = resources.flatMap(({ value, operations: all }) =>
		all.filter((operation) => operation.value !== 'delete').map((operation) => `${value}:${operation.value}`),
	);
	const called = TOOLS.map(({ parameters }) => `${parameters.resource}:${parameters.operation}`);
	expect([...new Set(called)].sort()).toEqual(operations.sort());
});

test('no tool is left with a call that was refused: the next one does what was meant', () => {
	for (const { name, calls } of TOOLS) expect([name, calls.at(-1)?.refused]).toEqual([name, undefined]);
});

describe.each(TOOLS)('$name', ({ name, parameters, calls }: RecordedTool) => {
	it.each(calls.map((call): [string, RecordedCall] => [JSON.stringify(call.input), call]))(
		'%s',
		async (_input, call) => {
			const credential = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
			const workflow = agentWith(credential, { [name]: parameters }, [
				[name.replaceAll(' ', '_'), inputOf(call, shortUrls)],
			]);
			const { answers, saved } = await answersTo(workflow, credential);
			const [{ answer, failure }] = answers as [IDataObject];
			expectAnswer(
				call,
				failure === undefined ? { records: JSON.parse(String(answer)) as unknown[] } : { message: String(failure) },
				shortUrls,
			);
			expect(saved).not.toContain(sandbox.apiKey);
			expect(JSON.stringify((await sandbox.requests()).map(({ body }) => body))).not.toContain('"null"');
			expect(await sandbox.violations()).toEqual([]);
		},
	);
});
