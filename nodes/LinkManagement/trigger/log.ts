import { DateTime } from 'luxon';
import type { IPollFunctions } from 'n8n-workflow';

import { durationInWords } from '../service/answer/errors';
import type { Reason } from './continuity';
import type { PollMemory } from './memory';

/** How long (ms) it takes until the log says again what has not changed. */
export const SAID_AGAIN_AFTER = 10 * 60_000;

const STARTS_OVER = 'It starts over from what the service shows now.';
const NOT_REPORTED = `${STARTS_OVER} Changes since the last report are not reported.`;

/** What the log says of the beginning of a poll. */
const BEGINNINGS: Record<Reason, [level: 'info' | 'warn', text: string] | undefined> = {
	itGoesOn: undefined,
	otherKey: ['info', 'has another key of the same account in its credential, and goes on.'],
	isFirst: ['info', 'begins with what the service shows now.'],
	isTurnedOn: ['info', `was turned on. ${STARTS_OVER} Changes until now are not reported.`],
	otherSettings: ['info', `has another event or another threshold. ${STARTS_OVER}`],
	otherAddress: ['warn', `has another Base URL in its credential. ${NOT_REPORTED}`],
	otherAccount: ['warn', `has the key of another account in its credential. ${NOT_REPORTED}`],
};

const time = (at: number) => DateTime.fromMillis(at).toFormat('HH:mm');

/** Writes sentences about a poll into n8n's log. n8n's console shows nothing but the sentence: it names node and workflow. */
export function logOf(context: IPollFunctions, remembered: PollMemory) {
	const node = context.getNode().name;
	const { id, name } = context.getWorkflow();
	const write = (level: 'info' | 'warn', text: string) =>
		context.logger[level](`"${node}" in workflow "${name ?? ''}" (${id ?? ''}) ${text}`, {
			nodeName: node,
			workflowId: id,
		});
	return {
		begins: (reason: Reason) => BEGINNINGS[reason] && write(...BEGINNINGS[reason]),
		/** The listing was not read to its end. */
		isUnfinished: (noun: string) =>
			write(
				'warn',
				`had no time to read all ${noun}s in its first poll. The next polls read the rest. What happens to a ${noun} before it was read is not reported. If n8n stops before that, they begin again.`,
			),
		/** A poll had no answer. @param isWatching there is a baseline: nothing is lost */
		isSilent: (why: string, isWatching: boolean) => {
			const now = Date.now();
			const { answeredAt, loggedAt = -Infinity } = remembered;
			const silentSince = (remembered.silentSince ??= now);
			if (now - loggedAt < SAID_AGAIN_AFTER) return;
			remembered.loggedAt = now;
			const last =
				answeredAt === undefined ? `No answer since ${time(silentSince)}` : `Last answered ${time(answeredAt)}`;
			const what = isWatching
				? 'The next poll that gets an answer reports what has happened since'
				: 'Nothing is watched yet: what happens before the first answer is not reported';
			write('warn', `could not poll: ${why}. ${last}. ${what}.`);
		},
		/** A poll had an answer. */
		isAnswered: () => {
			const now = Date.now();
			const { silentSince } = remembered;
			if (silentSince !== undefined) write('info', `has an answer again, after ${durationInWords(now - silentSince)}.`);
			Object.assign(remembered, { answeredAt: now, silentSince: undefined, loggedAt: undefined, failedAt: undefined });
		},
	};
}
