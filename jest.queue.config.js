/** The tests in n8n's queue mode: one main and two workers, with PostgreSQL and Redis; what they need stands in test/queue/stores.ts. */
module.exports = {
	...require('./jest.config.js'),
	roots: ['<rootDir>/test/queue'],
	testTimeout: 180_000,
};
