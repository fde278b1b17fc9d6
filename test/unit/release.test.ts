/** What keeps a version from being published, and that the command says so. */
import { spawnSync } from 'child_process';
import { readFileSync } from 'fs';
import { join } from 'path';

import { imageProblems, releaseProblems, tarballProblems, type Manifest } from '../../tools/release/check';

const PROJECT = join(__dirname, '..', '..');
const manifest: Manifest = { version: '1.2.3', publishConfig: { access: 'public', provenance: true } };
const changelog =
	'# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-01-02\n\n### Added\n\n- Something\n\n## [1.2.2] - 2026-01-01\n\n- Older\n';

test('a version with its tag and its entry can be published', () => {
	expect(releaseProblems('v1.2.3', manifest, changelog)).toEqual([]);
});

test.each<[string, string, Manifest, string, RegExp]>([
	['another tag', 'v1.2.4', manifest, changelog, /tag is v1\.2\.4.*says 1\.2\.3/],
	['a tag without v', '1.2.3', manifest, changelog, /tag is 1\.2\.3/],
	['no entry', 'v1.3.0', { ...manifest, version: '1.3.0' }, changelog, /needs the heading "## \[1\.3\.0\]/],
	['an entry without a date', 'v1.2.3', manifest, changelog.replace('2026-01-02', 'unreleased'), /needs the heading/],
	['an empty entry', 'v1.2.3', manifest, changelog.replace('- Something', ''), /says nothing of 1\.2\.3/],
	['no provenance', 'v1.2.3', { version: '1.2.3', publishConfig: { access: 'public' } }, changelog, /provenance/],
])('not with %s', (_what, tag, given, text, problem) => {
	expect(releaseProblems(tag, given, text)).toEqual([expect.stringMatching(problem)]);
});

const FILES = ['package/package.json', 'package/README.md', 'package/LICENSE', 'package/dist/nodes/Some.node.js'];

test('a tarball of the built code alone can be published', () => {
	expect(tarballProblems(FILES, manifest, manifest)).toEqual([]);
});

const dependent = { ...manifest, dependencies: { other: '1.0.0' } };
const installing = { ...manifest, scripts: { postinstall: 'node other.js' } };

test.each<[string, string[], packed: Manifest, own: Manifest, RegExp]>([
	['sources', [...FILES, 'package/nodes/Some.node.ts'], manifest, manifest, /to be published: package\/nodes\/Some/],
	['no node', FILES.slice(0, 3), manifest, manifest, /holds no node/],
	['another manifest', FILES, { ...manifest, version: '9.9.9' }, manifest, /another package\.json/],
	['dependencies', FILES, dependent, dependent, /than its own code: dependencies/],
	['a script at the installation', FILES, installing, installing, /than its own code: postinstall/],
])('no tarball with %s', (_what, files, packed, own, problem) => {
	expect(tarballProblems(files, packed, own)).toEqual([expect.stringMatching(problem)]);
});

test('no version before each image of the compose file is pinned by its digest', () => {
	const pinned = `x@sha256:${'0'.repeat(64)}`;
	expect(imageProblems(`    image: ${pinned}\n  image: \${N8N_IMAGE:-${pinned}}\n`)).toEqual([]);
	expect(imageProblems(`  image: \${N8N_IMAGE:-n8nio/n8n:1.2.3}\n    image: ${pinned}\n`)).toEqual([
		'examples/deploy/compose.yaml has to name the digest of n8nio/n8n:1.2.3.',
	]);
});

function check(...args: string[]) {
	return spawnSync(process.execPath, ['--import', 'tsx', 'tools/release/main.ts', ...args], {
		cwd: PROJECT,
		encoding: 'utf8',
	});
}

test('the command reads this package, and fails for a tag that is not its version', () => {
	const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as Manifest;
	const { status, stderr } = check('v0.0.0');
	expect(status).toBe(1);
	expect(stderr).toContain(`The tag is v0.0.0, but package.json says ${version}.`);
	expect(check().status).toBe(1);
	// All but the date of the release, and the digest of the n8n of that day, is there at any time.
	const left = check(`v${version}`).stderr.trimEnd().split('\n').filter(Boolean);
	expect(
		left.filter((line) => !/^CHANGELOG\.md needs the heading |has to name the digest of n8nio\/n8n:/.test(line)),
	).toEqual([]);
});
