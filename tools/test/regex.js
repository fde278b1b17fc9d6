/* global requireOnce */
/**
 * Later n8n ends a regular expression after 250 ms of the machine's clock, which a busy machine may spend on other work. Among
 * hundreds of tests that happens now and then; here the same expressions run without that end.
 */
requireOnce(require.resolve('n8n-workflow')).setSafeRegexEngine?.({
	exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
	test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
	replace: (pattern, input, flags, replacement) => input.replace(new RegExp(pattern, flags), replacement),
	matchAll: (pattern, input, flags = '') => [...input.matchAll(new RegExp(pattern, `${flags.replace('g', '')}g`))],
	split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
});
