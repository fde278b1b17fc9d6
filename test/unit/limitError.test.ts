/** What is said of the rate limit to each of its readers; and of many names. */
import { adviceOf, limitError, listed } from '../../nodes/LinkManagement/service/answer/errors';

test.each<[string, number | undefined, isUntouched: boolean, editor: RegExp, model: RegExp]>([
	[
		'for half a minute',
		30_000,
		true,
		/again in 30 seconds: run it again then\./,
		/^Nothing was sent\. Call again in 30 seconds\.$/,
	],
	['for hours', 7_200_000, true, /again in 2 hours: run/, /^Nothing was sent\. Call again in 2 hours\.$/],
	['for nobody knows how long', undefined, true, /again in 60 seconds: run/, /Call again in 60 seconds\.$/],
	['after a change', 30_000, false, /again in 30 seconds: run/, /^The call was done in part\. .*, and look first\.$/],
])('the rate limit is reached %s', (_what, waitMs, isUntouched, editor, model) => {
	const error = limitError(waitMs, isUntouched);
	expect(error.message).toBe('Rate limit reached');
	expect(adviceOf(error)).toMatch(editor);
	expect(adviceOf(error, undefined, 'model')).toMatch(model);
});

test('names are cut where they are more than fit', () => {
	const names = ['a', 'b', 'c'];
	expect([listed(names, 3), listed(names, 2)]).toEqual(['a, b, c', 'a, b, …']);
});
