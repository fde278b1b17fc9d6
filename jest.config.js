/** Modules of n8n-core that are ESM alone: Node can require them, Jest only after they were translated. */
const esm = ['p-retry', 'is-network-error'].join('|');

/** The fast tests: plain Node, the oldest n8n-core, the sandbox over real HTTP. */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test/unit', '<rootDir>/test/engine', '<rootDir>/test/fuzz', '<rootDir>/test/documentation'],
	testMatch: ['**/*.test.ts'],
	transform: {
		'^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json' }],
		[`/node_modules/(${esm})/.+\\.js$`]: ['ts-jest', { tsconfig: { allowJs: true, module: 'CommonJS' }, diagnostics: false }],
	},
	transformIgnorePatterns: [`/node_modules/(?!(${esm})/)`],
	testTimeout: 30_000,
	// The engine keeps a timer (its SSH connections' clean-up) that would hold the process for ever.
	forceExit: true,
};
