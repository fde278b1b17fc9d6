/** The project's own rules, for all its code. n8n's rules for the published part: n8n.eslint.config.mjs. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import js from '@eslint/js';
import redos from 'eslint-plugin-redos';
import regexp from 'eslint-plugin-regexp';
import globals from 'globals';
import ts from 'typescript-eslint';

/** How a sentence begins that leans on the one before it. */
const LEANING = '/^(that|it|they|those|these|this|so|also|and|likewise|otherwise|there was|not|of|says)\\b/i';

const project = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export default ts.config(
	{ ignores: ['**/node_modules/', 'dist/', 'coverage/'] },
	js.configs.recommended,
	{
		files: ['**/*.ts'],
		extends: [ts.configs.recommendedTypeChecked],
		languageOptions: { parserOptions: { project: join(project, 'tsconfig.json'), tsconfigRootDir: project } },
		rules: {
			// What the service or an expression gives may be of any type, and String() of it is meant.
			'@typescript-eslint/no-base-to-string': 'off',
			// n8n's interfaces want promises, also where there is nothing to wait for.
			'@typescript-eslint/require-await': 'off',
			// Descriptions of operations and collections hold functions, none of which uses `this`.
			'@typescript-eslint/unbound-method': 'off',
			'prefer-const': ['error', { ignoreReadBeforeAssign: true }],
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		plugins: { redos, regexp },
		rules: {
			// A function fits on a screen, a file holds one thought.
			'max-lines-per-function': ['error', { max: 60 }],
			'max-lines': ['error', { max: 300 }],
			// What strangers' text runs through takes no longer than the text is long: recheck searches for texts on which it does.
			'redos/no-vulnerable': ['error', { timeout: 60_000 }],
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential' }],
		},
	},
	{
		files: ['test/**/*.test.ts'],
		rules: {
			// jest types its matchers (expect.any, expect.objectContaining) as any.
			'@typescript-eslint/no-unsafe-assignment': 'off',
			'@typescript-eslint/no-unsafe-return': 'off',
			'no-restricted-syntax': [
				'error',
				...['[callee.name=/^(test|it)$/]', "[callee.type='CallExpression']"].map((call) => ({
					selector: `Program > ExpressionStatement > CallExpression${call} > Literal:first-child[value=${LEANING}]`,
					message: 'The title of a test stands alone in a log: say what it is about.',
				})),
			],
		},
	},
	{
		files: ['**/*.{js,cjs,mjs}'],
		languageOptions: { globals: globals.node },
		rules: { 'no-unused-vars': ['error', { ignoreRestSiblings: true }] },
	},
);
