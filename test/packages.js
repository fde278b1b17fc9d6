/* global jest, requireOnce */
/** Large packages, which Jest would load anew for every test file: they are loaded once a process, by Node itself. */
const ONCE = [
	'axios',
	'fast-check',
	'fastify',
	'luxon',
	'n8n-core',
	'n8n-core/dist/execution-engine/triggers-and-pollers',
	'n8n-core/dist/nodes-loader/constants',
	'n8n-workflow',
	'openapi-backend',
	'typescript',
	'yaml',
];

// The path is asked of Jest, for some tests put another version in the place of a package.
for (const name of ONCE) jest.mock(name, () => requireOnce(require.resolve(name)));

// The same draws in each run, unless SEED says otherwise (seed.ts).
requireOnce('fast-check').configureGlobal({ seed: Number(process.env.SEED ?? 1) });
