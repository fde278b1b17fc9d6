const { join } = require('node:path');

const folder = process.env.N8N_FOLDER;

const [tests] = require('../../jest.config.js').projects;

/** The engine tests and the canaries, with the engine of the n8n that is installed in N8N_FOLDER in place of the oldest one. */
module.exports = {
	...tests,
	displayName: 'newest engine',
	forceExit: true,
	roots: ['<rootDir>/test/engine', '<rootDir>/test/canary'],
	testTimeout: 600_000,
	setupFiles: [...tests.setupFiles, join(__dirname, 'regex.js')],
	// Later n8n activate pollers in another class; the trigger is tested there in a real n8n.
	testPathIgnorePatterns: ['engine/trigger\\w*\\.test\\.ts$'],
	moduleNameMapper: { '^(n8n-core|n8n-workflow)$': join(folder, 'node_modules', '$1') },
};
