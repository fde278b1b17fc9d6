const { join } = require('node:path');

const folder = process.env.N8N_FOLDER;
const fast = require('../../jest.config.js');

/** The engine tests, with the engine of the n8n that is installed in N8N_FOLDER in place of the oldest one. */
module.exports = {
	...fast,
	rootDir: join(__dirname, '..', '..'),
	roots: ['<rootDir>/test/engine'],
	// Later n8n activate pollers in another class; the trigger is tested there in a real n8n.
	testPathIgnorePatterns: ['engine/trigger(Day)?\\.test\\.ts$'],
	moduleNameMapper: { '^(n8n-core|n8n-workflow)$': join(folder, 'node_modules', '$1') },
};
