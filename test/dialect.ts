import type { Dialect } from './sandbox';

/** The dialect that the sandbox speaks in this run: jest.config.js runs some suites in both. */
export const DIALECT: Dialect = Reflect.get(globalThis, 'SANDBOX_DIALECT') === 'field' ? 'field' : 'document';

/** What is expected of the service at hand: `document`, or, of one that answers as deployed services do, `field`. */
export function either<T>(expected: Record<Dialect, T>): T {
	return expected[DIALECT];
}
