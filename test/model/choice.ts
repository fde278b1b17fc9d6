import fc from 'fast-check';

import type { Behaviour } from '../sandbox';

/** One of the values in which services differ; one that stands there twice is drawn twice as often. */
export const choice = <Name extends keyof Behaviour>(name: Name, ...values: Array<Behaviour[Name]>) =>
	fc.constantFrom(...values).map((value) => ({ [name]: value }));
