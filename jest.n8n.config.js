/** The tests in a real n8n: one n8n for the whole run, the packed package inside, the sandbox over real HTTP. */
module.exports = {
	...require('./jest.config.js'),
	roots: ['<rootDir>/test/n8n'],
	testTimeout: 180_000,
	globalSetup: '<rootDir>/test/n8n/host/prepare.ts',
	globalTeardown: '<rootDir>/test/n8n/host/finish.ts',
};
