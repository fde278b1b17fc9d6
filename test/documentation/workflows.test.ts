/** What the workflows of the repository rely on. */
import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';
import { parse } from 'yaml';

import { PROJECT } from './markdown';

interface Job {
	uses?: string;
	permissions?: Record<string, string>;
	environment?: string;
	needs?: string | string[];
	services?: Record<string, { image: string }>;
	steps?: Array<{ uses?: string; run?: string }>;
}

const FOLDER = join(PROJECT, '.github', 'workflows');
const files = readdirSync(FOLDER);
const jobsOf = (file: string) =>
	Object.entries((parse(readFileSync(join(FOLDER, file), 'utf8')) as { jobs: Record<string, Job> }).jobs);
const jobs = files.flatMap((file) => jobsOf(file).map(([name, job]) => [`${file}: ${name}`, job] as const));

test.each(jobs)('%s runs only actions that stand fast', (_name, { steps = [] }) => {
	const loose = steps.flatMap(({ uses }) => (uses === undefined || /@[0-9a-f]{40}$/.test(uses) ? [] : [uses]));
	expect(loose).toEqual([]);
});

test('the services of workflows have the images of the compose file, which are kept up to date', () => {
	const compose = readFileSync(join(PROJECT, 'examples', 'deploy', 'compose.yaml'), 'utf8');
	const images = jobs.flatMap(([, { services = {} }]) => Object.values(services).map(({ image }) => image));
	expect(images.length).toBeGreaterThan(3);
	for (const image of images) expect(compose).toContain(`image: ${image}\n`);
});

test('what may publish or write runs nothing that was installed from elsewhere, and comes after what checks', () => {
	const publishing = jobsOf('publish.yml');
	const trusted = publishing.filter(([, { permissions }]) => permissions !== undefined);
	expect(trusted.map(([name]) => name)).toEqual(['publish', 'attest', 'release']);
	for (const [, { steps = [] }] of trusted)
		expect(steps.flatMap(({ run = '' }) => /npm (?:ci|install|run|test)|npx/.exec(run) ?? [])).toEqual([]);
	const needs = Object.fromEntries(publishing.map(([name, job]) => [name, [job.needs ?? []].flat()]));
	expect(needs).toMatchObject({
		pack: ['checks'],
		publish: ['pack'],
		attest: ['pack', 'publish'],
		release: ['pack', 'publish'],
	});
	expect(publishing.find(([name]) => name === 'publish')?.[1].environment).toBe('npm');
});
