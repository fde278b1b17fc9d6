/** The tests in n8n's editor, in a browser: as jest.n8n.config.js, and Chromium. */
module.exports = {
	...require('./jest.n8n.config.js'),
	roots: ['<rootDir>/test/editor'],
};
