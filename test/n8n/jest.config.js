const { projects, ...config } = require('../../jest.config.js');

/** One n8n for the whole run, the packed package inside, the sandbox over real HTTP. */
const tests = {
	...projects[0],
	roots: ['<rootDir>/test/n8n'],
	testPathIgnorePatterns: [],
	globalSetup: '<rootDir>/test/n8n/host/prepare.ts',
	globalTeardown: '<rootDir>/test/n8n/host/finish.ts',
};

/**
 * The tests in a real n8n; what takes whole workflows a second time, against a service that answers as deployed ones do. Dropdowns,
 * the trigger and what builders make speak that dialect alone: the fast tests show operations in both.
 */
module.exports = {
	...config,
	projects: [
		tests,
		{
			...tests,
			displayName: projects[1].displayName,
			globals: projects[1].globals,
			testRegex: 'n8n/(operations|\\w*[eE]xamples)\\.test\\.ts$',
		},
	],
	testTimeout: 180_000,
	maxWorkers: 1,
	testSequencer: require.resolve('./host/shuffled.js'),
};
