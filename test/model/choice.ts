import fc, { type Arbitrary } from 'fast-check';

import type { Behavior } from '../sandbox';

/** One of the values in which services differ; one that stands there twice is drawn twice as often. */
export const choice = <Name extends keyof Behavior>(name: Name, ...values: Array<Behavior[Name]>) =>
	fc.constantFrom(...values).map((value) => ({ [name]: value }));

/** In what services differ where links are made, found and changed. */
export const linkDeviations: Arbitrary<Partial<Behavior>> = fc
	.tuple(
		choice('knownLongUrl', 'new', 'new', 'new', 'returned'),
		choice('aliasDropped', false, false, false, false, true),
		choice('aliasDroppedAt', 'anywhere', 'ownHost', 'domains'),
		choice('domainDropped', false, false, false, false, true),
		choice('aliasKept', 'asSent', 'asSent', 'asSent', 'lowered', 'stripped'),
		choice('shortHit', 'details', 'list', 'wholeList'),
		choice('shortMiss', 'error', 'emptyList', 'wholeList'),
		choice('shortRead', 'address', 'address', 'alias'),
		choice('searchIgnored', false, false, true),
		choice('moreFields', false, true),
		choice('linkUpdate', 'keeps', 'resets'),
		choice('createReply', 'full', 'full', 'shorturl', 'bare'),
		choice(
			'longUrlKept',
			...Array<'asSent'>(6).fill('asSent'),
			'normalized',
			'encoded',
			'escaped',
			'plus',
			'slashCut',
			'fragmentCut',
		),
		choice('shortLinksElsewhere', false, false, true),
		// In pages of three, no reading may ever show some of the records that share a date.
		fc.constantFrom<Array<Partial<Behavior>>>(
			{ pageCap: 3 },
			{ pageCap: 10 },
			{ pageCap: 10, ties: 3 },
			{ pageCap: 100 },
			{ pageCap: 100, ties: 30 },
		),
	)
	.map((some) => Object.assign({ aliasUnique: 'domain' }, ...some) as Partial<Behavior>);
