/**
 * The pages' examples are what the node and the trigger really put out: they are run by the engine against the sandbox, and
 * compared. `npm run docs` writes them again.
 */
import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { resources } from '../../nodes/LinkManagement/resources';
import { linkManagement } from '../engine/host';
import { TriggerHost } from '../engine/pollHost';
import { operationsOf } from '../hostile/parameters';
import type { Sandbox } from '../sandbox';
import { freshSandbox } from '../sandbox/fresh';
import { entered } from './entered';
import { EVENTS, OPERATIONS, outputOf, PARAMETERS, prepareAccount } from './examples';
import { expectPart, page } from './markdown';

/** The address of the service on the pages. */
const BASE = 'https://links.example.com';
const LINE = 100;

const trigger = new LinkManagementTrigger().description;
const eventOptions = trigger.properties.find(({ name }) => name === 'event')?.options as INodePropertyOptions[];

let sandbox: Sandbox;

freshSandbox({ limit: { requests: null } }, (started) => (sandbox = started));

/** JSON with a line for each field, or in one line where that is short. */
function json(item: IDataObject): string {
	const spaced = (value: unknown) => JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ').replaceAll('{ }', '{}');
	const text = spaced(item);
	if (text.length <= LINE) return text;
	return `{\n${Object.entries(item)
		.map(([name, value]) => `  ${JSON.stringify(name)}: ${spaced(value)}`)
		.join(',\n')}\n}`;
}

function block(items: IDataObject[]): string {
	const [first] = JSON.parse(JSON.stringify(items).replaceAll(sandbox.url, BASE)) as IDataObject[];
	return `\`\`\`json\n${json(first)}\n\`\`\`\n`;
}

test('each operation and each event has an example', () => {
	expect(Object.keys(PARAMETERS)).toEqual(
		operationsOf(linkManagement).map(({ resource, operation }) => `${resource}:${operation}`),
	);
	expect(EVENTS.map(({ parameters }) => parameters.event)).toEqual(eventOptions.map(({ value }) => value));
});

test('the table of operations is complete', () => {
	const rows = resources.map(
		({ name, operations }) =>
			`| ${name} | ${operations
				.map((operation) => operation.name)
				.sort()
				.join(', ')} |\n`,
	);
	expectPart('table', `| resource | operations |\n| --- | --- |\n${rows.join('')}`);
});

test("the operations' examples are what the node puts out", async () => {
	for (const { operation: name, parameters } of OPERATIONS) {
		const [resource, operation] = name.split(':');
		const items = await outputOf(sandbox, name);
		const what = entered(linkManagement.description, { resource, operation, ...parameters });
		expectPart(name, `${what && `${what}\n\n`}${block(items)}`);
	}
});

test('each operation has a block of its own, in the order of the editor', () => {
	const names = resources.flatMap(({ name, operations }) =>
		operations.map((operation) => `${name}: ${operation.name}`),
	);
	const headings = [...page('docs/operations.md').matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
	expect(headings).toEqual(names);
});

test("the events' examples are what the trigger reports", async () => {
	const parts: string[] = ['<details>\n<summary>An item of each event</summary>\n'];
	for (const { parameters, after, happens } of EVENTS) {
		await prepareAccount(sandbox);
		const host = new TriggerHost({ credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey }, parameters });
		await host.activate();
		expect(await host.poll()).toEqual([]);
		await happens(sandbox);
		const items = await host.poll();
		expect(items).toHaveLength(1);
		const what = entered(trigger, parameters);
		parts.push(
			`${eventOptions.find(({ value }) => value === parameters.event)?.name}, after ${after}${what && `: ${what}`}\n\n${block(items)}`,
		);
	}
	parts.push('</details>\n');
	expect(await sandbox.violations()).toEqual([]);
	expectPart('events', parts.join('\n'));
});
