/**
 * The trigger and the lists to choose from, at a service that answers anything: they end, and give something or say in plain words
 * what is wrong. FUZZ_RUNS sets the tries for each.
 */
import fc from 'fast-check';
import { LoadOptionsContext } from 'n8n-core';
import type { ILoadOptionsFunctions, IWorkflowBase } from 'n8n-workflow';

import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { additionalData, linkManagement, search, type Credential } from '../engine/host';
import { TriggerHost } from '../engine/pollHost';
import { EVENTS } from '../documentation/examples';
import { answer, AnyService, expectPlain, MOST_REQUESTS, type Answer } from './answers';

const RUNS = Number(process.env.FUZZ_RUNS ?? 20);

const service = new AnyService(MOST_REQUESTS + 1);

beforeAll(async () => await service.start());

const trigger = new LinkManagementTrigger();
const loadOptions: Record<string, (this: ILoadOptionsFunctions) => Promise<unknown>> = trigger.methods.loadOptions;

/** Fills a list of the trigger, as the editor does. */
async function choices(method: string, credential: Credential): Promise<unknown> {
	const { workflow, node } = new TriggerHost({ credential, parameters: { event: 'linkClicked' } });
	return await loadOptions[method].call(
		new LoadOptionsContext(workflow, node, additionalData(credential, { id: 'w' } as IWorkflowBase), ''),
	);
}

async function listening(parameters: (typeof EVENTS)[number]['parameters'], credential: Credential): Promise<unknown> {
	const host = new TriggerHost({ credential, parameters });
	await host.activate();
	await host.tick();
	for (const error of host.errors) throw error;
	// What n8n writes to its database.
	expect(host.saved.length).toBeLessThan(20_000);
	return host.executions;
}

type Way = [name: string, go: (credential: Credential) => Promise<unknown>];

/** What ends by itself, however long a list is. */
const lists: Way[] = [
	...Object.keys(linkManagement.methods?.listSearch ?? {}).map((method): Way => [
		method,
		async (credential) => await search(method, credential, 'a'),
	]),
	...Object.keys(loadOptions).map((method): Way => [method, async (credential) => await choices(method, credential)]),
	...EVENTS.map(({ parameters }): Way => [
		`${parameters.event}, tested`,
		async (credential) => await new TriggerHost({ credential, parameters }).fetchTestEvent(),
	]),
];
const events = EVENTS.map(({ parameters }) => [parameters.event, parameters] as const);
const ways: Way[] = [
	...lists,
	...events.map(([event, parameters]): Way => [event, async (credential) => await listening(parameters, credential)]),
];

/** Goes a way; whatever comes of it, a user can work with it. */
async function expectReadable(
	go: (credential: Credential) => Promise<unknown>,
	given: Answer,
): Promise<'gave' | 'refused'> {
	const apiKey = service.set(given);
	const result = await go({ baseUrl: service.url, apiKey }).catch((error: unknown) => error);
	const text = result instanceof Error ? `${result.message} ${JSON.stringify(result)}` : (JSON.stringify(result) ?? '');
	expect(text).not.toContain(apiKey);
	expect({}).not.toHaveProperty('polluted');
	expect(service.requests.get(apiKey) ?? 0).toBeLessThanOrEqual(MOST_REQUESTS);
	if (!(result instanceof Error)) return 'gave';
	expectPlain(result, /^Node(Api|Operation)Error$|^TriggerCloseError$|^WorkflowActivationError$/);
	return 'refused';
}

test('any answer: each gives something, or says what is wrong', async () => {
	// All at once, for reads that fail are tried again after a while.
	const outcomes = await Promise.all(
		ways.flatMap(([name, go]) =>
			fc.sample(answer, RUNS).map(
				async (given) =>
					await expectReadable(go, given).catch((error: unknown) => {
						throw new Error(`${name}: ${(error as Error).message}\n${JSON.stringify(given)}`);
					}),
			),
		),
	);
	expect(new Set(outcomes)).toEqual(new Set(['gave', 'refused']));
}, 900_000);

describe('a list that promises a further page on each page, for ever', () => {
	const collections = ['campaigns', 'channels', 'qrs', 'domains', 'cta', 'splash', 'urls'];
	const records = [{ id: 1, clicks: 500, scans: 500, date: '2026-01-01 00:00:00' }, { title: 'No ID' }];
	const data = { result: 1_000_000_000, perpage: 2, currentpage: 1, nextpage: 2, maxpage: 500_000_000 };
	const endless: Answer = {
		status: 200,
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({
			error: '0',
			data: { ...data, ...Object.fromEntries(collections.map((name) => [name, records])) },
		}),
	};

	test.each(lists)('%s ends', async (_name, go) => {
		await expectReadable(go, endless);
	});

	test.each(events)('%s ends within the time of a poll', async (_event, parameters) => {
		const patient = new AnyService(Infinity);
		await patient.start();
		const apiKey = patient.set(endless);
		const host = new TriggerHost({ credential: { baseUrl: patient.url, apiKey }, parameters, budgetMs: 2500 });
		await host.activate().catch(() => undefined);
		const moment = async () => await new Promise((resolve) => setTimeout(resolve, 500));
		// The one that was on its way when time ran out still arrives.
		await moment();
		const sent = patient.requests.get(apiKey)!;
		expect(sent).toBeGreaterThan(0);
		await moment();
		expect(patient.requests.get(apiKey)).toBe(sent);
		expect(host.saved.length).toBeLessThan(20_000);
	});
});
