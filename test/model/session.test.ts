/**
 * A model's session: calls drawn at random, several at once, with answers that are lost and calls that are repeated. The answers describe
 * the account at the end, whatever the service is like. SEED sets what is drawn, SESSION_RUNS how much.
 */
import fc, { type Arbitrary } from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { agentWith, answersTo } from '../engine/agent';
import { skippingWaits } from '../engine/clock';
import { by } from '../engine/host';
import { credential, begin, openService, sandbox } from '../engine/service';
import { DIALECTS, type Behavior, type Dialect } from '../sandbox';
import { SEED } from '../seed';
import { linkDeviations } from './choice';

const RUNS = Number(process.env.SESSION_RUNS ?? 25);

// An answer that is lost is looked for.
skippingWaits();

openService();

const given = (name: string) => `={{ $fromAI('${name}', '', 'string', '') }}`;
const record = { linkId: by('id', given('record')) };

const TOOLS: Record<string, IDataObject> = {
	create: { resource: 'link', operation: 'create', url: given('url'), linkFields: { custom: given('alias') } },
	upsert: { resource: 'link', operation: 'upsert' },
	get: { resource: 'link', operation: 'get', ...record },
	update: { resource: 'link', operation: 'update', ...record, linkFields: { metatitle: given('title') } },
	remove: { resource: 'link', operation: 'delete', ...record },
};

/** Where calls lead: links that are there, aliases that are IDs of all, and a short link of the account. */
const ALIASES = ['spring', 'Spring', 'poster', '101', '102', 'new'];
const URLS = ['a', 'b', 'c'].map((path) => `https://shop.example.com/${path}`);

interface Call {
	tool: keyof typeof TOOLS;
	alias: number;
	url: number;
	/** How a link is named. */
	by: 'id' | 'alias' | 'short' | 'url';
	title: 'One' | 'Two';
}

interface Turn {
	/** What is called at once. */
	calls: Call[];
	/** Changes are made without an answer; a model that does not know repeats its call. */
	isLost: boolean;
}

interface Session {
	dialect: Dialect;
	deviations: Partial<Behavior>;
	/** Requests a minute, if there is a limit. */
	limit: number | null;
	turns: Turn[];
}

const call: Arbitrary<Call> = fc.record({
	tool: fc.constantFrom('create', 'create', 'upsert', 'get', 'update', 'remove'),
	alias: fc.nat(ALIASES.length - 1),
	// One more: a short link of the account.
	url: fc.nat(URLS.length),
	by: fc.constantFrom<Array<Call['by']>>('id', 'alias', 'short', 'url'),
	title: fc.constantFrom('One', 'Two'),
});

const session: Arbitrary<Session> = fc.record({
	dialect: fc.constantFrom(...DIALECTS),
	deviations: linkDeviations,
	limit: fc.constantFrom(null, null, null, null, null, null, null, 12),
	turns: fc.array(
		fc.record({
			calls: fc.oneof(
				{ weight: 4, arbitrary: fc.array(call, { minLength: 1, maxLength: 1 }) },
				fc.array(call, { minLength: 2, maxLength: 10 }),
			),
			isLost: fc.constantFrom(false, false, true),
		}),
		{ minLength: 1, maxLength: 8 },
	),
});

/** What a call passes, as the account stands. */
async function argumentsOf({ tool, alias, url, by: how, title }: Call): Promise<IDataObject> {
	const custom = ALIASES[alias];
	const own = (await sandbox.links())[0];
	const address = URLS[url] ?? own?.shorturl ?? URLS[0];
	if (tool === 'create') return { url: address, alias: custom };
	if (tool === 'upsert') return { Long_URL: address, Alias: custom, Meta_Title: title };
	const links = await sandbox.links();
	const link = links[alias % Math.max(1, links.length)];
	const names = { id: String(link?.id ?? 101), alias: custom, short: link?.shorturl ?? custom, url: address };
	return { record: names[how], title };
}

interface Told {
	tool: string;
	input: IDataObject;
	item?: IDataObject;
	failure?: string;
}

async function made(calls: Array<[string, IDataObject]>): Promise<Told[]> {
	const { answers } = await answersTo(agentWith(credential(), TOOLS, calls), credential());
	return answers.map(({ answer, failure }, at) => {
		const [tool, input] = calls[at];
		if (answer === undefined) return { tool, input, failure: String(failure) };
		return { tool, input, item: (JSON.parse(String(answer)) as IDataObject[])[0] };
	});
}

/** What is wrong with what a turn has told, as the service knows what it has done. */
async function complaintsOf(told: Told[], before: number): Promise<string[]> {
	const complaints: string[] = [];
	const ledger = (await sandbox.ledger({ since: before })).filter(({ collection }) => collection === 'links');
	const shown = (id: number) =>
		told.some(({ tool, item }) => tool === 'remove' && item?.id === id && item.shorturl !== undefined);
	const isUncertain = told.some(({ failure }) => /may have been|was done in part/.test(failure ?? ''));
	const may = (tools: string[]) => told.some(({ tool }) => tools.includes(tool));
	for (const { kind, id } of ledger) {
		if (kind === 'deleted' && !shown(id) && !isUncertain) complaints.push(`deleted ${id}, and no answer shows it`);
		if (kind === 'updated' && !may(['update', 'upsert'])) complaints.push(`changed ${id}, and no call was to change`);
	}
	const isUntouched = told.every(({ failure }) => failure?.includes('Nothing was sent') === true);
	if (isUntouched && ledger.length > 0) complaints.push('nothing was sent, and something has changed');
	for (const { tool, item, input } of told) {
		if (item === undefined || !['create', 'upsert'].includes(tool)) continue;
		if (item.shorturl === undefined) complaints.push(`${tool} shows no short URL for ${JSON.stringify(input)}`);
	}
	return complaints;
}

test('the answers of a session describe the account', async () => {
	const play = fc.asyncProperty(session, async ({ dialect, deviations, limit, turns }) => {
		await begin({ dialect, deviations, records: { links: 0, domains: 0 } });
		await sandbox.createRecords({
			links: ['spring', 'poster', '101'].map((alias, at) => ({ id: 101 + at, alias, domain: '', longurl: URLS[at] })),
		});
		await sandbox.setLimit({ requests: limit });
		const complaints: string[] = [];
		const all: Told[] = [];
		const asked = new Map<string, Set<string>>();
		const firstNew = (await sandbox.ledger()).length;
		for (const { calls, isLost } of turns) {
			const before = (await sandbox.ledger()).at(-1)?.seq ?? 0;
			const inputs: Array<[string, IDataObject]> = [];
			for (const one of calls) inputs.push([one.tool, await argumentsOf(one)]);
			for (const [tool, input] of inputs) {
				if (tool !== 'create' && tool !== 'upsert') continue;
				const url = String(input.url ?? input.Long_URL);
				asked.set(url, (asked.get(url) ?? new Set()).add(String(input.alias ?? input.Alias)));
			}
			const fault = (method: string) => ({ kind: 'dropAfter' as const, match: { method }, times: 1 });
			if (isLost) await sandbox.setFaults(['POST', 'PUT', 'DELETE'].map(fault));
			const told = await made(inputs);
			await sandbox.clearFaults();
			// A model that has no answer asks again.
			const failed = told.filter(({ failure }) => /may have been/.test(failure ?? ''));
			for (const { tool, input } of failed) {
				// As it is told: looks first.
				const url = input.url ?? input.Long_URL;
				const [there] = url === undefined ? [] : await made([['get', { record: url }]]);
				if (there === undefined || /There is no short link/.test(there.failure ?? ''))
					told.push(...(await made([[tool, input]])));
			}
			complaints.push(...(await complaintsOf(told, before)));
			all.push(...told);
		}
		const created = (await sandbox.ledger())
			.slice(firstNew)
			.filter(({ kind, collection }) => kind === 'created' && collection === 'links');
		const ids = new Set(created.map(({ id }) => id));
		const now = await sandbox.links();
		for (const [url, aliases] of asked) {
			const links = now.filter((link) => ids.has(link.id) && link.longurl === url);
			// Some plans have no aliases: then a link can't be asked for by one. Each answer shows the link that came, or says to look for it.
			const isOther = /The service gave the link|may have been created/;
			const dropped = deviations.aliasDropped
				? all.filter(({ failure, input }) => isOther.test(failure ?? '') && Object.values(input).includes(url))
				: [];
			if (links.length > aliases.size + dropped.length)
				complaints.push(`${links.length} new links lead to ${url}, asked for by ${aliases.size} aliases`);
		}
		if (complaints.length > 0) complaints.push(...all.map((one) => JSON.stringify(one)));
		expect(complaints).toEqual([]);
	});
	await fc.assert(play, { numRuns: RUNS, seed: SEED, endOnFailure: true });
});
