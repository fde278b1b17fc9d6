/** What is set at a service, the doctor finds, wherever a client that reads alone can see it. */
import { execFile } from 'child_process';
import { join } from 'path';
import { promisify } from 'util';
import { startSandbox, type Behaviour, type Sandbox } from '../sandbox';
import { DEVIATION_NAMES, DEVIATIONS, readDeviations, type DeviationName } from '../sandbox/dialect';
import { examine } from '../../tools/doctor/examine';
import { reportOf, sandboxLine } from '../../tools/doctor/report';
import { Visit } from '../../tools/doctor/visit';
import { SEED } from '../seed';
import { drawService, wholeBehaviour } from './services';

const COUNT = Number(process.env.ANY_SERVICE_COUNT ?? 20);
const PROJECT = join(__dirname, '..', '..');
const KEY = 'secret-key-of-the-doctor';
/** Has what reading alone needs: more links than any page holds, an empty list, links of its own. */
const RECORDS = { links: 130, splash: 0, pixels: 2 };

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ onViolation: () => undefined });
});

afterAll(async () => {
	await sandbox.stop();
});

const isLocked = ({ access, authorizationDropped }: Behaviour) =>
	authorizationDropped || access === 'plan' || access === 'suspended';
const noLists = ({ missing }: Behaviour) => missing === 'lists' || missing === 'half';

/** Where other deviations hide some; by what a client is told, nobody could find them. */
const HIDDEN: Array<[hides: (behaviour: Behaviour) => boolean, names: DeviationName[]]> = [
	[noLists, ['emptyCollection', 'overlayCollection', 'sharedDomains']],
	[({ shortHit, shortMiss }) => shortHit === 'wholeList' && shortMiss === 'wholeList', ['shortRead']],
];

/** What a client can see of a service that locks it out. */
const OUTSIDE = new Set<DeviationName>(['front', 'authStatus', 'noRateLimitHeaders']);

function isSeen(name: DeviationName, behaviour: Behaviour): boolean {
	if (DEVIATIONS[name].seen !== 'reading') return false;
	if (isLocked(behaviour)) return OUTSIDE.has(name);
	return !HIDDEN.some(([hides, names]) => names.includes(name) && hides(behaviour));
}

test('the command takes the key from the environment, only reads, and reports in words and in a line for the sandbox', async () => {
	await sandbox.reset({ apiKeys: [KEY], deviations: { messageIn: 'msg', searchIgnored: true } });
	const args = ['--import', 'tsx', join(PROJECT, 'tools/doctor/main.ts'), '--base-url', `${sandbox.url}/api/`];
	const env = { ...process.env, LINK_MANAGEMENT_API_KEY: KEY };
	const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: PROJECT, env });
	expect(stdout).toContain('- Where an error envelope has its message: in msg (`messageIn`)');
	expect(stdout).toMatch(/^npm run sandbox -- --set messageIn=msg .*--set searchIgnored=true$/m);
	expect(stdout).toMatch(/^## It offers\n/);
	expect(stdout).toMatch(/\n\nNot looked at: .*\d+ show to nobody who reads alone\.\n$/);
	expect(stdout + stderr).not.toContain(KEY);
	const methods = (await sandbox.requests()).map(({ method }) => method);
	expect(methods.filter((method) => method !== 'GET')).toEqual([]);
}, 600_000);

test('what a key has no right for is told by resource, and is not taken for what the service lacks', async () => {
	await sandbox.reset({ apiKeys: [KEY], deviations: { rights: 'qrCode' }, limit: { requests: null } });
	const findings = await examine(new Visit({ baseUrl: sandbox.url, key: KEY }));
	const lists = ['links', 'campaigns', 'channels', 'domains', 'pixels', 'splash pages', 'overlays'];
	expect(findings.lacksRights).toEqual(['the account', ...lists]);
	expect(findings.offers).toEqual({ 'list of QR codes': true });
	expect(findings.deviations()).toEqual([]);
	expect(findings.unknown).toEqual([]);
	expect(reportOf(findings)).toContain('## The key has no right for\n\n- the account\n');
}, 600_000);

test(
	`what ${COUNT} services from ${SEED} on do is found, in the words of the table`,
	async () => {
		const wrong: unknown[] = [];
		for (let seed = SEED; seed < SEED + COUNT; seed++) {
			const service = drawService(seed);
			const state = { seed, deviations: service.deviations, apiKeys: [KEY], records: RECORDS, validate: false };
			await sandbox.reset({ ...state, limit: { requests: 1_000_000 } });
			const visit = new Visit({ baseUrl: sandbox.url, key: KEY, headers: { Cookie: 'passage=granted' } });
			const findings = await examine(visit);
			const behaviour = wholeBehaviour(service);
			for (const name of DEVIATION_NAMES) {
				if (isSeen(name, behaviour) && findings.seen[name] !== behaviour[name]) {
					wrong.push({ seed, name, is: behaviour[name], found: findings.seen[name], service: service.deviations });
				}
				// What can't be seen must not be made up either.
				if (!(name in service.deviations) && findings.deviations().some(([found]) => found === name)) {
					wrong.push({ seed, name, madeUp: findings.seen[name], service: service.deviations });
				}
			}
			const settings = [...sandboxLine(findings).matchAll(/--set (\S+)/g)].map(([, setting]) => setting);
			if (JSON.stringify(readDeviations(settings)) !== JSON.stringify(Object.fromEntries(findings.deviations()))) {
				wrong.push({ seed, settings });
			}
			const report = reportOf(findings);
			if (report.includes(KEY) || report.includes('owner@example.com')) wrong.push({ seed, report });
		}
		expect(wrong).toEqual([]);
	},
	60_000 + COUNT * 5_000,
);
