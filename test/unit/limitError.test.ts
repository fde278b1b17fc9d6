/** What is said of the rate limit, by who has waited for it and how long; and of many names. */
import { limitError, listed } from '../../nodes/LinkManagement/service/errors';

test.each<[string, ReturnType<typeof limitError>, RegExp, RegExp]>([
	[
		'after ten minutes, though the window ends soon',
		limitError('run', 400),
		/^Rate limit reached$/,
		/ten minutes.*Run it again/,
	],
	[
		'after ten minutes, and nobody knows for how long',
		limitError(),
		/^Rate limit reached$/,
		/ten minutes.*Run it again/,
	],
	['for hours', limitError('run', 7_200_000), /again in 2 hours$/, /ten minutes at most/],
	['in front of a screen', limitError('onScreen', 30_000), /may answer again in a minute$/, /Try again then/],
])('the rate limit is reached %s', (_what, { message, advice }, says, advises) => {
	expect(message).toMatch(says);
	expect(advice).toMatch(advises);
});

test('names are cut where they are more than fit', () => {
	const names = ['a', 'b', 'c'];
	expect([listed(names, 3), listed(names, 2)]).toEqual(['a, b, c', 'a, b, …']);
});
