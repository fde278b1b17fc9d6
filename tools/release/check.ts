/** A package's manifest, as far as a release goes by it. */
export interface Manifest {
	version: string;
	publishConfig?: { access?: string; provenance?: boolean };
	scripts?: Record<string, string>;
	[field: string]: unknown;
}

/** The image that the compose file starts, up to its digest. */
const IMAGE = 'n8nio/n8n';

/** The section of a version in CHANGELOG.md, its heading first; undefined where there is none. */
function sectionOf(version: string, changelog: string): string | undefined {
	const sections = changelog.split(/^## /m).slice(1);
	return sections.find((section) => section.startsWith(`[${version}]`));
}

/** What changed in a version, as its release says it. */
export function notesOf(version: string, changelog: string): string {
	const [, ...lines] = (sectionOf(version, changelog) ?? '').trim().split('\n');
	return `${lines.join('\n').trim()}\n`;
}

/**
 * What keeps the compose file's images from being released: each stands fast by its digest, and n8n is the one that was tested.
 *
 * @param newest the newest n8n that was tested
 */
export function imageProblems(compose: string, newest: string): string[] {
	const images = [...compose.matchAll(/^\s*image: +(?:\$\{\w+:-)?([^\s}]+)/gm)].map(([, image]) => image);
	const loose = images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image));
	const other = images.filter(
		(image) => image.startsWith(`${IMAGE}:`) && !/^[^:]+:([\d.]+)/.exec(image)?.[0].endsWith(`:${newest}`),
	);
	return [
		...(images.length === 0 ? ['compose.yaml names no image.'] : []),
		...loose.map((image) => `compose.yaml names ${image} without its digest (@sha256:…).`),
		...other.map((image) => `compose.yaml names ${image}, but ${newest} is the newest n8n that was tested.`),
	];
}

/** Fields of a manifest that bring other code along. */
const BRINGS_CODE = ['dependencies', 'optionalDependencies', 'bundleDependencies', 'bundledDependencies'];
/** Scripts that npm runs where the package is installed. */
const RUNS_CODE = ['preinstall', 'install', 'postinstall', 'prepare'];

/**
 * What keeps a version from being published.
 *
 * @param tag the Git tag, such as v1.2.3
 * @param changelog CHANGELOG.md
 * @returns a sentence for each problem
 */
export function releaseProblems(tag: string, { version, publishConfig }: Manifest, changelog: string): string[] {
	const problems: string[] = [];
	if (!/^\d+\.\d+\.\d+$/.test(version)) problems.push(`The version is ${version}, and not three numbers.`);
	if (tag !== `v${version}`) problems.push(`The tag is ${tag}, but package.json says ${version}.`);
	if (publishConfig?.access !== 'public' || publishConfig.provenance !== true) {
		problems.push('publishConfig in package.json has to say "access": "public" and "provenance": true.');
	}
	const [title = '', ...lines] = sectionOf(version, changelog)?.split('\n') ?? [];
	if (!/\] - \d{4}-\d\d-\d\d$/.test(title))
		problems.push(`CHANGELOG.md needs the heading "## [${version}] - " with today's date.`);
	else if (!lines.some((line) => line.startsWith('- '))) problems.push(`CHANGELOG.md says nothing of ${version}.`);
	return problems;
}

/** What of a manifest brings more code than the package's own, or runs it at the installation: names of fields and scripts. */
function foreignCode(manifest: Manifest): string[] {
	return [
		...BRINGS_CODE.filter((field) => manifest[field] !== undefined),
		...RUNS_CODE.filter((script) => manifest.scripts?.[script] !== undefined),
	];
}

/**
 * What keeps a packed tarball from being published.
 *
 * @param files the paths in the tarball
 * @param packed the manifest in the tarball
 * @param manifest package.json of what is checked out
 * @returns a sentence for each problem
 */
export function tarballProblems(files: string[], packed: Manifest, manifest: Manifest): string[] {
	const problems: string[] = [];
	const strange = files.filter(
		(file) => !/^package\/(?:dist\/.+(?<!\.d)\.(?:js|json|svg)|package\.json|README\.md|LICENSE)$/.test(file),
	);
	if (strange.length > 0) problems.push(`The tarball holds what is not to be published: ${strange.join(', ')}.`);
	if (!files.some((file) => file.endsWith('.node.js'))) problems.push('The tarball holds no node.');
	if (JSON.stringify(packed) !== JSON.stringify(manifest)) problems.push('The tarball has another package.json.');
	const foreign = foreignCode(packed);
	if (foreign.length > 0) problems.push(`The package brings or runs more than its own code: ${foreign.join(', ')}.`);
	return problems;
}
