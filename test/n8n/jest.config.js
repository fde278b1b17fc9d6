const { projects, ...config } = require('../../jest.config.js');

/** One n8n for the whole run, the packed package inside, the sandbox over real HTTP. */
const tests = {
	...projects[0],
	roots: ['<rootDir>/test/n8n'],
	testPathIgnorePatterns: [],
	globalSetup: '<rootDir>/test/n8n/host/prepare.ts',
	globalTeardown: '<rootDir>/test/n8n/host/finish.ts',
};

/** The tests in a real n8n; some of them a second time, against a service that answers as deployed ones do. */
module.exports = {
	...config,
	projects: [
		tests,
		{
			...tests,
			displayName: projects[1].displayName,
			globals: projects[1].globals,
			testRegex: 'n8n/(operations|dropdowns|trigger|examples|asked)\\.test\\.ts$',
		},
	],
	testTimeout: 180_000,
	maxWorkers: 1,
};
