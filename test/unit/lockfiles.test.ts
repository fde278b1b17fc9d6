/** Where the packages of the tools come from: the registry that npm is set to, and what is in each stands fast. */
import { readFileSync } from 'fs';
import { join } from 'path';

interface Entry {
	version?: string;
	integrity?: string;
	resolved?: string;
	link?: boolean;
	inBundle?: boolean;
}

const PROJECT = join(__dirname, '..', '..');

test.each(['.', 'tools/lint'])('the lock file of %s names a hash for each package, and no host', (folder) => {
	const text = readFileSync(join(PROJECT, folder, 'package-lock.json'), 'utf8');
	const { packages } = JSON.parse(text) as { packages: Record<string, Entry> };
	const entries = Object.entries(packages).filter(([path]) => path !== '');
	expect(entries.length).toBeGreaterThan(300);
	const loose = entries.filter(([, { integrity = '', inBundle }]) => inBundle !== true && !/^sha512-/.test(integrity));
	expect(loose.map(([path]) => path)).toEqual([]);
	// npm leaves the registry's own addresses out: .npmrc says so. What has another one comes from elsewhere.
	expect(entries.filter(([, { resolved, link }]) => resolved !== undefined || link).map(([path]) => path)).toEqual([]);
	expect(readFileSync(join(PROJECT, folder, '.npmrc'), 'utf8')).toContain('omit-lockfile-registry-resolved=true');
});
