const { projects, ...config } = require('../../jest.config.js');

/** Those that `npm test` runs: every operation, each event, the credential, a dropdown, agents, and examples, one of them twice on a sheet. */
const ESSENTIALS = 'n8n/(package|operations|events|credential|dropdowns|toolCalls|examples)\\.test\\.ts$';

/** One n8n for the whole run, the packed package inside, the sandbox over real HTTP. */
const tests = {
	...projects[0],
	roots: ['<rootDir>/test/n8n'],
	testPathIgnorePatterns: [],
	globalSetup: '<rootDir>/test/n8n/host/prepare.ts',
	globalTeardown: '<rootDir>/test/n8n/host/finish.ts',
};

/** The tests in a real n8n. */
module.exports = {
	...config,
	projects: [
		{ ...tests, displayName: 'essentials', testRegex: ESSENTIALS },
		{ ...tests, displayName: 'others', testPathIgnorePatterns: [ESSENTIALS] },
	],
	testTimeout: 900_000,
	maxWorkers: 1,
	testSequencer: require.resolve('./host/shuffled.js'),
};
