import { ACCESS } from './deviations/access';
import { ENVELOPE } from './deviations/envelope';
import type { Deviation } from './deviations/kinds';
import { LINKS } from './deviations/links';
import { LISTS } from './deviations/lists';
import { OTHERS } from './deviations/others';
import type { LimitSettings } from './limit';

/** What the service speaks: as its document says, or as deployed services were seen to. */
export type Dialect = 'document' | 'field';

export const DIALECTS: readonly Dialect[] = ['document', 'field'];

/**
 * Everything in which deployed services differ from the document or from each other, each once: its name, what differs,
 * and its value in either dialect. Where a service of the field only may differ, the field's value is the one that asks
 * more of a client, unless nobody could work with it.
 */
export const DEVIATIONS = {
	...ACCESS,
	...ENVELOPE,
	...LISTS,
	...LINKS,
	...OTHERS,
} satisfies Record<string, Deviation<boolean> | Deviation<number> | Deviation<number | null> | Deviation<string>>;

export type DeviationName = keyof typeof DEVIATIONS;

/** How a service answers: each deviation's value. */
export type Behaviour = { [Name in DeviationName]: (typeof DEVIATIONS)[Name]['document'] };

const NAMES = Object.keys(DEVIATIONS) as DeviationName[];

/** The values that a dialect gives all deviations. */
export function behaviourOf(dialect: Dialect): Behaviour {
	return Object.fromEntries(NAMES.map((name) => [name, DEVIATIONS[name][dialect]])) as Behaviour;
}

/** The dialect whose forms the answers keep: the document's as long as nothing deviates from it. */
export function dialectOf(behaviour: Behaviour): Dialect {
	return NAMES.every((name) => behaviour[name] === DEVIATIONS[name].document) ? 'document' : 'field';
}

/** What the deviations make of the request budget. */
export function limitOf(behaviour: Behaviour): Partial<LimitSettings> {
	const refusals: Record<Behaviour['refusal'], Pick<LimitSettings, 'status' | 'body'>> = {
		status429: { status: 429, body: 'envelope' },
		status200: { status: 200, body: 'retryAfter' },
		status429Body: { status: 429, body: 'retryAfter' },
		status429Text: { status: 429, body: 'text' },
	};
	const windows: Record<Behaviour['window'], Pick<LimitSettings, 'begin' | 'rounding' | 'throughResetSecond'>> = {
		aligned: { begin: 'aligned', rounding: 'ceil', throughResetSecond: false },
		wholeSeconds: { begin: 'firstRequest', rounding: 'floor', throughResetSecond: true },
	};
	return {
		...refusals[behaviour.refusal],
		...windows[behaviour.window],
		headers: !behaviour.noRateLimitHeaders,
		...(behaviour.unlimited ? { requests: null } : {}),
	};
}

/** Reads `name=value` pairs. @throws Error that says what is wrong with a name or a value */
export function readDeviations(settings: string[]): Partial<Behaviour> {
	return Object.fromEntries(
		settings.map((setting) => {
			const [name, value = 'true'] = setting.split('=');
			const deviation = (DEVIATIONS as Record<string, Deviation<unknown>>)[name];
			if (deviation === undefined) throw new Error(`There is no deviation ${name}: see --list`);
			try {
				return [name, deviation.read(value)];
			} catch (error) {
				throw new Error(`${name} ${error instanceof Error ? error.message : String(error)}`);
			}
		}),
	);
}

/** The table of deviations as text, for the command line. */
export function describeDeviations(): string {
	return NAMES.map((name) => {
		const { says, document, field, values }: Deviation<unknown> = DEVIATIONS[name];
		const choices = Object.entries(values ?? {}).map(([value, meaning]) => `\n      ${value}: ${meaning}`);
		return `  ${name} (document: ${String(document ?? 'none')}, field: ${String(field ?? 'none')})\n    ${says}.${choices.join('')}\n`;
	}).join('');
}
