import type { IPollFunctions } from 'n8n-workflow';

import type { Reason } from './continuity';

const STARTS_OVER = 'It starts over from what the service shows now.';

/** What the log says of the beginning of a poll. */
const BEGINNINGS: Record<Reason, [level: 'info' | 'warn', text: string] | undefined> = {
	itGoesOn: undefined,
	isFirst: ['info', 'begins with what the service shows now.'],
	isTurnedOn: ['info', `was turned on. ${STARTS_OVER} Changes until now are not reported.`],
	otherSettings: ['info', `has another event or another threshold. ${STARTS_OVER}`],
	otherAccount: [
		'warn',
		`now has another key or another Base URL in its credential. ${STARTS_OVER} Changes since the last report are not reported.`,
	],
};

const UNANSWERED =
	'could not ask the service in this poll: other work with the same key used up the rate limit. Nothing is lost: the next poll that gets an answer reports it. Until then, this is not logged again.';

const BEGIN_AGAIN = ' If n8n stops before that, they begin again.';
const BEGIN_AGAIN_UNTIL_REPORT =
	' If n8n stops before the first report, they begin again. Durable cursors (n8n 2.36 and newer) keep what was read to its end.';

/** Writes sentences about a poll into n8n's log. */
export function logOf(context: IPollFunctions) {
	const { name } = context.getNode();
	const where = { nodeName: name, workflowId: context.getWorkflow().id };
	const write = (level: 'info' | 'warn', text: string) => context.logger[level](`"${name}" ${text}`, where);
	return {
		begins: (reason: Reason) => BEGINNINGS[reason] && write(...BEGINNINGS[reason]),
		/** The listing was not read to its end. @param isLost the state of polls without a report is lost when n8n stops */
		isUnfinished: (noun: string, isLost: boolean) =>
			write(
				'warn',
				`had no time to read all ${noun}s in its first poll. The next polls read the rest. What happens to a ${noun} before it was read is not reported.${isLost ? BEGIN_AGAIN_UNTIL_REPORT : BEGIN_AGAIN}`,
			),
		isUnanswered: () => write('warn', UNANSWERED),
	};
}
