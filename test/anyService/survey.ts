/** Does everyday jobs at services of the family. */
import type { Sandbox } from '../sandbox';
import { Account } from './account';
import { JOBS, Wrong, type Job } from './jobs';
import { drawService, type Deviations } from './services';

export interface Failure {
	/** Draws the service again. */
	seed: number;
	job: string;
	/** What was wrong. */
	why: string;
	deviations: Deviations;
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
		// What ties hide from all readings is missing, and nothing is done on such a list.
		if (account.behavior.ties > 0 && /^Read \d+ of the \d+ records/.test(message)) return undefined;
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
		if (why !== undefined) failures.push({ seed, job: job.name, why, deviations: service.deviations });
	}
	return failures;
}
