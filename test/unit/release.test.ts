/** What keeps a version from being published. That the command lets a good package pass, test/n8n/package.test.ts shows. */
import { imageProblems, notesOf, releaseProblems, tarballProblems, type Manifest } from '../../tools/release/check';

const manifest: Manifest = { version: '1.2.3', publishConfig: { access: 'public', provenance: true } };
const changelog =
	'# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-01-02\n\n### Added\n\n- Something\n\n## [1.2.2] - 2026-01-01\n\n- Older\n';

test.each<[string, string, Manifest, string, RegExp]>([
	['another tag', 'v1.2.4', manifest, changelog, /tag is v1\.2\.4.*says 1\.2\.3/],
	['a tag without v', '1.2.3', manifest, changelog, /tag is 1\.2\.3/],
	['no entry', 'v1.3.0', { ...manifest, version: '1.3.0' }, changelog, /needs the heading "## \[1\.3\.0\]/],
	['an entry without a date', 'v1.2.3', manifest, changelog.replace('2026-01-02', 'unreleased'), /needs the heading/],
	['an empty entry', 'v1.2.3', manifest, changelog.replace('- Something', ''), /says nothing of 1\.2\.3/],
	[
		'a candidate',
		'v1.2.3-rc.1',
		{ ...manifest, version: '1.2.3-rc.1' },
		changelog.replace('[1.2.3]', '[1.2.3-rc.1]'),
		/not three numbers/,
	],
	['no provenance', 'v1.2.3', { version: '1.2.3', publishConfig: { access: 'public' } }, changelog, /provenance/],
])('a release is refused with %s', (_what, tag, given, text, problem) => {
	expect(releaseProblems(tag, given, text)).toEqual([expect.stringMatching(problem)]);
});

const FILES = ['package/package.json', 'package/README.md', 'package/LICENSE', 'package/dist/nodes/Some.node.js'];

const dependent = { ...manifest, dependencies: { other: '1.0.0' } };
const installing = { ...manifest, scripts: { postinstall: 'node other.js' } };

test.each<[string, string[], packed: Manifest, own: Manifest, RegExp]>([
	[
		'type declarations',
		[...FILES, 'package/dist/nodes/Some.node.d.ts'],
		manifest,
		manifest,
		/to be published: .*d\.ts/,
	],
	['sources', [...FILES, 'package/nodes/Some.node.ts'], manifest, manifest, /to be published: package\/nodes\/Some/],
	['no node', FILES.slice(0, 3), manifest, manifest, /holds no node/],
	['another manifest', FILES, { ...manifest, version: '9.9.9' }, manifest, /another package\.json/],
	['dependencies', FILES, dependent, dependent, /than its own code: dependencies/],
	['a script at the installation', FILES, installing, installing, /than its own code: postinstall/],
])('a tarball is refused with %s', (_what, files, packed, own, problem) => {
	expect(tarballProblems(files, packed, own)).toEqual([expect.stringMatching(problem)]);
});

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
const composeOf = (image: string) =>
	`x-n8n: &n8n\n  image: \${N8N_IMAGE:-${image}}\n\npostgres:\n  image: postgres@${DIGEST}\n`;

test.each([
	['n8n without its digest', 'n8nio/n8n:2.0.0', [/n8nio\/n8n:2\.0\.0 without its digest/]],
	['another n8n than was tested', `n8nio/n8n:2.0.01@${DIGEST}`, [/but 2\.0\.0 is the newest n8n/]],
	['the n8n that was tested', `n8nio/n8n:2.0.0@${DIGEST}`, []],
])('n8n images: %s', (_what, image, problems) => {
	expect(imageProblems(composeOf(image), '2.0.0')).toEqual(problems.map((problem) => expect.stringMatching(problem)));
});

test('a compose file that can not be read is no good one', () => {
	expect(imageProblems('services: {}', '2.0.0')).toHaveLength(1);
});

test('the notes of a release are its section of the changelog', () => {
	expect(notesOf('1.2.3', changelog)).toBe('### Added\n\n- Something\n');
});
