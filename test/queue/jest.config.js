/**
 * The tests in n8n's queue mode: one main and two workers, with PostgreSQL and Redis. What they need of the machine stands in
 * stores.ts.
 */
module.exports = {
	...require('../../jest.config.js').projects[0],
	displayName: 'queue',
	forceExit: true,
	roots: ['<rootDir>/test/queue'],
	testPathIgnorePatterns: [],
	globalSetup: '<rootDir>/test/queue/prepare.ts',
	testTimeout: 900_000,
	maxWorkers: 1,
};
