/** The compose file that users start. That n8n really works with it, test/queue shows. */
import { DCLinter } from 'dclint';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { version } from '../../package.json';
import { COMPOSE_FILE, composeServices, DEPLOY, variablesOf } from '../queue/compose';

const text = readFileSync(COMPOSE_FILE, 'utf8');
const SET = {
	N8N_ENCRYPTION_KEY: 'a key',
	POSTGRES_PASSWORD: 'a password',
	LINK_MANAGEMENT_CHECKSUM: 'sha512-any',
};

/** What breaks the Compose specification's schema, or the linter's rules on what is a mistake and not a matter of taste. */
function errorsIn(file: string): string[] {
	const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] });
	return linter
		.lintFiles([file], false)
		.flatMap(({ messages }) => messages.filter(({ type }) => type === 'error').map(({ message }) => message));
}

describe('the compose file', () => {
	it('keeps the Compose specification', () => {
		expect(errorsIn(COMPOSE_FILE)).toEqual([]);
	});

	it('would be refused with a property that the specification does not have', () => {
		const folder = mkdtempSync(join(tmpdir(), 'link-management-compose-'));
		try {
			const file = join(folder, 'compose.yaml');
			writeFileSync(file, text.replace('restart: unless-stopped', 'restarts: unless-stopped'));
			expect(errorsIn(file)).toEqual([expect.stringContaining('must NOT have additional properties')]);
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	it('gives the main and the workers one environment', () => {
		const { main, worker } = composeServices(SET);
		expect(worker.environment).toEqual(main.environment);
		expect(main.environment).toMatchObject({
			EXECUTIONS_MODE: 'queue',
			N8N_ENCRYPTION_KEY: 'a key',
			DB_POSTGRESDB_PASSWORD: 'a password',
		});
	});

	it('installs this version of the package, with the checksum that the user has looked up', () => {
		const { main } = composeServices(SET);
		expect(JSON.parse(main.environment.N8N_COMMUNITY_PACKAGES)).toEqual([
			{ name: 'n8n-nodes-link-management', version, checksum: 'sha512-any' },
		]);
		expect(readFileSync(join(DEPLOY, '.env.example'), 'utf8')).toContain(`n8n-nodes-link-management@${version} `);
	});

	it("pins the images by digest, and n8n's by its exact version until its digest is known", () => {
		const { main, worker, postgres, redis } = composeServices(SET);
		for (const { image } of [postgres, redis])
			expect(image).toMatch(/^\w+:\d+\.\d+(?:\.\d+)?-alpine@sha256:[0-9a-f]{64}$/);
		expect(main.image).toMatch(/^n8nio\/n8n:\d+\.\d+\.\d+(?:@sha256:[0-9a-f]{64})?$/);
		expect(worker.image).toBe(main.image);
	});

	it.each(Object.keys(SET))('says that %s has to be set', (name) => {
		expect(() => composeServices({ ...SET, [name]: '' })).toThrow(`set ${name}`);
	});

	it('takes the variables that .env.example shows, with the defaults that it shows', () => {
		const shown = [...readFileSync(join(DEPLOY, '.env.example'), 'utf8').matchAll(/^(#?)([A-Z]\w+)=(.*)$/gm)];
		const named = (mark: string) => shown.filter(([, given]) => given === mark).map(([, , name]) => name);
		const { required, optional } = variablesOf(text);
		expect(named('').sort()).toEqual([...required].sort());
		expect(named('#').sort()).toEqual(optional);
		for (const [, mark, name, value] of shown) {
			if (mark === '#') expect(text).toContain(`\${${name}:-${value}}`);
			else expect(value).toBe('');
		}
	});
});
