/** Does everyday jobs at services of the family, and finds what it takes for one to fail. */
import type { Sandbox } from '../sandbox';
import type { DeviationName } from '../sandbox/dialect';
import { Account } from './account';
import { JOBS, Wrong, type Job } from './jobs';
import { drawService, type Service } from './services';

export interface Failure {
	/** Draws the service again. */
	seed: number;
	job: string;
	/** What was wrong. */
	why: string;
	/** The deviations, of those that the service has, that it takes. */
	cause: string;
}

/** Does a job. @returns what is wrong with how it ended; undefined when nothing is */
async function attempt(job: Job, account: Account): Promise<string | undefined> {
	const obstacle = account.obstacle(...job.needs);
	try {
		await job.run(account);
		return obstacle === undefined || endsByItself(job)
			? undefined
			: `nothing was wrong, in place of ${String(obstacle)}`;
	} catch (error) {
		const { message } = error as Error;
		if (error instanceof Wrong || obstacle === undefined) return message;
		return obstacle.test(message) ? undefined : `it ended in "${message}", in place of ${String(obstacle)}`;
	}
}

/** Jobs without needs look at the obstacles themselves. */
function endsByItself({ needs }: Job): boolean {
	return needs.length === 0;
}

/** Does all jobs at one service, one after another in one account. */
export async function surveyService(sandbox: Sandbox, seed: number): Promise<Failure[]> {
	const service = drawService(seed);
	const account = await Account.at(sandbox, service);
	const failures: Failure[] = [];
	for (const job of JOBS) {
		const why = await attempt(job, account);
		if (why !== undefined) failures.push({ seed, job: job.name, why, cause: '' });
	}
	for (const failure of failures) failure.cause = await causeOf(failure.job, sandbox, service);
	return failures;
}

/** Takes away what the job fails without. */
async function causeOf(name: string, sandbox: Sandbox, service: Service): Promise<string> {
	const job = JOBS.find((entry) => entry.name === name)!;
	const fails = async (tried: Service) => (await attempt(job, await Account.at(sandbox, tried))) !== undefined;
	if (!(await fails(service))) return 'what other jobs have left behind';
	let left = service;
	if (await fails({ ...left, faults: [] })) left = { ...left, faults: [] };
	for (const deviation of Object.keys(service.deviations) as DeviationName[]) {
		const { [deviation]: _without, ...deviations } = left.deviations;
		if (await fails({ ...left, deviations })) left = { ...left, deviations };
	}
	return [...Object.entries(left.deviations), ...left.faults.map(({ kind }) => ['fault', kind])]
		.map(([deviation, value]) => `${deviation}=${String(value)}`)
		.join(' ');
}
