/** A package's manifest, as far as a release goes by it. */
export interface Manifest {
	version: string;
	publishConfig?: { access?: string; provenance?: boolean };
}

/**
 * What keeps a version from being published.
 *
 * @param tag the Git tag, such as v1.2.3
 * @param changelog CHANGELOG.md
 * @returns a sentence for each problem
 */
export function releaseProblems(tag: string, { version, publishConfig }: Manifest, changelog: string): string[] {
	const problems: string[] = [];
	if (tag !== `v${version}`) problems.push(`The tag is ${tag}, but package.json says ${version}.`);
	if (publishConfig?.access !== 'public' || publishConfig.provenance !== true) {
		problems.push('publishConfig in package.json has to say "access": "public" and "provenance": true.');
	}
	const sections = changelog.split(/^## /m).slice(1);
	const own = sections.find((section) => section.startsWith(`[${version}]`));
	const [title = '', ...lines] = own?.split('\n') ?? [];
	if (!/\] - \d{4}-\d\d-\d\d$/.test(title)) problems.push(`CHANGELOG.md needs the heading "## [${version}] - " with today's date.`);
	else if (!lines.some((line) => line.startsWith('- '))) problems.push(`CHANGELOG.md says nothing of ${version}.`);
	return problems;
}
