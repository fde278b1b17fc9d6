/**
 * What runs a second time, against a service that answers as deployed ones do (test/dialect.ts). Other suites, such as those of
 * lists and dropdowns, speak both dialects in one run.
 */
const IN_BOTH_DIALECTS = 'engine/operations';

/** What all tests have in common; also of those with a configuration of their own. */
const tests = {
	rootDir: __dirname,
	testEnvironment: '<rootDir>/test/environment.js',
	roots: ['<rootDir>/test'],
	testRegex: '\\.test\\.ts$',
	testPathIgnorePatterns: ['<rootDir>/test/(n8n|editor|queue)/'],
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json' }] },
	setupFiles: ['<rootDir>/test/packages.js'],
};

/**
 * The fast tests: plain Node, the oldest n8n-core, the sandbox over real HTTP. The tests that take a whole n8n have a
 * configuration beside them, which says what differs.
 */
module.exports = {
	projects: [
		{ ...tests, displayName: 'document' },
		{
			...tests,
			displayName: 'field',
			testRegex: `test/${IN_BOTH_DIALECTS}\\.test\\.ts$`,
			globals: { SANDBOX_DIALECT: 'field' },
		},
	],
	testSequencer: '<rootDir>/test/slowestFirst.js',
	// One more than the cores of a small machine: some of the time is spent waiting, for rate limits, slow answers and pauses
	// between tries.
	maxWorkers: 3,
	// Ends what hangs; no measure of speed, for the machine may have other work.
	testTimeout: 600_000,
	// The engine keeps a timer (its SSH connections' clean-up) that would hold the process for ever.
	forceExit: true,
};
