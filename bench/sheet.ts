import { fillAccount, sheetRow } from '../test/sandbox';
import type { Scenario } from './bench';
import { type Contender, http, ourSheet, useKey, workflowOf } from './contenders';

const ROWS = 1000;
const KNOWN = 970;
const MOVED = 20;
const LINKS = 10_000;
const PAGE = 100;
const TIMEOUT_MS = 5 * 60_000;

/** A creation for each row, which the service refuses where the alias is taken. */
function eachRow(serviceUrl: string): Contender {
	const columns = { url: 'Long URL', custom: 'Alias' };
	return http(serviceUrl, columns, 'HTTP Request, a creation a row', { response: { response: { neverError: true } } });
}

/** A sheet with a few new rows and a few moved links, in an account of ten links for each row: the requests, at the service. */
export const run: Scenario = async (bench) => {
	const service = await bench.startService({ limit: { requests: null } });
	const n8n = await bench.startN8n();
	await useKey(n8n, service.url, service.apiKey);
	const known = Array.from({ length: KNOWN }, (_, number) => number);
	await fillAccount(service, { dialect: 'document', key: service.apiKey, links: LINKS, page: PAGE, known });
	const rows = Array.from({ length: ROWS }, (_, number) => sheetRow(number, number < MOVED ? 'moved' : 'page'));
	const requestsOf = async (contender: Contender): Promise<number> => {
		await service.clearRequests();
		const { status, error } = await n8n.run(await n8n.createWorkflow(workflowOf(contender, rows)), TIMEOUT_MS);
		if (status !== 'success') throw new Error(error?.message ?? status);
		const { requests } = await service.stats();
		bench.say(`${contender.name}: ${requests} requests`);
		return requests;
	};
	const mine = [await requestsOf(ourSheet()), await requestsOf(ourSheet())];
	const other = eachRow(service.url);
	const theirs = await requestsOf(other);
	const works = [`${MOVED} moved, ${ROWS - KNOWN} new, in an account of ${LINKS.toLocaleString('en')}`, 'nothing new'];
	return works.map((work, at) => ({
		work: `${ROWS.toLocaleString('en')} rows, ${work}: requests`,
		ours: String(mine[at]),
		instead: other.name,
		theirs: String(theirs),
		ratio: (mine[at] / theirs).toFixed(2),
	}));
};
