/** Others get their turns while thousands of rows are gone through: counted in turns, not in time. */
import type { IDataObject } from 'n8n-workflow';

import { sheetRows, startSandbox, type Sandbox } from '../sandbox';
import { by, run } from './host';
import { turnsDuring } from './turns';

let sandbox: Sandbox;
const credential = () => ({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });

beforeEach(async () => {
	sandbox = await startSandbox({ records: { links: 0, qrs: 0 }, limit: { requests: null }, validate: false });
});

afterEach(async () => {
	await sandbox.stop();
});

const rows = (count: number) => sheetRows(count) as IDataObject[];
const dryRun = {
	resource: 'link',
	operation: 'upsert',
	columns: { mappingMode: 'autoMapInputData', value: null },
	linkFields: { campaign: by('name', 'Spring') },
	options: { dryRun: true, ifNameMissing: 'create' },
};

test('each row gives turns away while it is read, named, matched, planned and put out', async () => {
	const many = await turnsDuring(async () => await run(dryRun, { credential: credential(), rows: rows(60) }));
	const few = await turnsDuring(async () => await run(dryRun, { credential: credential(), rows: rows(10) }));
	const ofEachRow = 14;
	expect(many - few).toBeGreaterThanOrEqual(ofEachRow * 50);
});

test('each row of a large batch gives turns away, too', async () => {
	const creation = { resource: 'link', operation: 'create', url: '={{ $json["Long URL"] }}' };
	const turnsOf = async (count: number, requestOptions: IDataObject) =>
		await turnsDuring(
			async () => await run({ ...creation, requestOptions }, { credential: credential(), rows: rows(count) }),
		);
	const batching = { batch: { batchSize: 1000, batchInterval: 1 } };
	const ofEachRow = 12;
	expect((await turnsOf(60, { batching })) - (await turnsOf(10, { batching }))).toBeGreaterThanOrEqual(ofEachRow * 50);
});
