/** The trigger over a restart of n8n, in an n8n of its own. */
import { startSandbox } from '../sandbox';
import { startN8n } from './host';
import { pollingWorkflow, reportedBy } from './polling';

it('n8n restarted in between: what happened meanwhile is reported once', async () => {
	const sandbox = await startSandbox();
	const own = await startN8n();
	try {
		await own.createCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
		const { qrs } = await sandbox.createRecords({ qrs: [{ scans: 10 }] });
		const scan = async (count: number) => await sandbox.simulate({ scans: [{ id: qrs[0].id, count }] });
		const workflow = await own.createWorkflow(
			pollingWorkflow({ event: 'qrCodeScanned', watch: 'selected', qrCodeIds: [qrs[0].id] }),
		);
		await own.activate(workflow);
		await scan(1);
		await own.waitForExecutions(workflow, 1);
		await own.restart();
		await scan(4);
		const executions = await own.waitForExecutions(workflow, 2);
		expect(executions.flatMap((execution) => reportedBy(execution))).toMatchObject([
			{ previousScans: 10, newScans: 1 },
			{ previousScans: 11, newScans: 4 },
		]);
	} finally {
		await own.stop();
		await sandbox.stop();
	}
}, 300_000);
