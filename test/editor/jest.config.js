const { projects, ...config } = require('../n8n/jest.config.js');

/** The tests in n8n's editor: as those in a real n8n, with Chromium in front of it. */
module.exports = {
	...config,
	projects: [{ ...projects[1], displayName: 'editor', roots: ['<rootDir>/test/editor'], testPathIgnorePatterns: [] }],
};
