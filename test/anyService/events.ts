/** Each event of the trigger, over the same happenings. */
import type { IDataObject } from 'n8n-workflow';

import { TriggerHost } from '../engine/pollHost';
import { addressOf, type Account } from './account';

/** What is told of it: how often, or what. */
type Told = string[];

interface Happening {
	event: string;
	parameters?: IDataObject;
	/** Makes it happen, a little each time. @returns what is to be told of it */
	happen(account: Account, time: number): Promise<Told>;
	/** What an item tells. */
	tell(item: IDataObject): string;
}

const link = async (account: Account, row: number) => (await account.link(`row-${row}`)).id;
const code = async (account: Account) => (await account.sandbox.qrs()).find(({ name }) => name === 'Code one')!;

const createdLink: Happening = {
	event: 'linkCreated',
	async happen({ sandbox }, time) {
		const links = [0, 1].map((at) => ({ longurl: addressOf(100 + 2 * time + at) }));
		return (await sandbox.createRecords({ links })).links.map(({ id }) => String(id));
	},
	tell: ({ id }) => String(id),
};

const createdCode: Happening = {
	event: 'qrCodeCreated',
	async happen({ sandbox }) {
		return (await sandbox.createRecords({ qrs: 2 })).qrs.map(({ id }) => String(id));
	},
	tell: ({ id }) => String(id),
};

const CLICKS = 3;

const clickedLink: Happening = {
	event: 'linkClicked',
	async happen(account, time) {
		const id = await link(account, 4 + time);
		await account.sandbox.simulate({ clicks: [{ id, count: CLICKS }] });
		return [`${id} ${CLICKS}`];
	},
	tell: ({ id, newClicks }) => `${String(id)} ${String(newClicks)}`,
};

const scannedCode: Happening = {
	event: 'qrCodeScanned',
	async happen({ sandbox }, time) {
		const { id } = (await sandbox.qrs())[3 + time];
		await sandbox.simulate({ scans: [{ id, count: CLICKS }] });
		return [`${id} ${CLICKS}`];
	},
	tell: ({ id, newScans }) => `${String(id)} ${String(newScans)}`,
};

/** Above what any code or link has. */
const THRESHOLD = 1_000_000;

const reachedLink: Happening = {
	event: 'linkClickThreshold',
	parameters: { threshold: THRESHOLD, thresholdMode: 'once' },
	async happen(account, time) {
		const id = await link(account, 4 + time);
		await account.sandbox.simulate({ clicks: [{ id, count: THRESHOLD }] });
		return [String(id)];
	},
	tell: ({ id }) => String(id),
};

const reachedCode: Happening = {
	event: 'qrCodeScanThreshold',
	parameters: { threshold: THRESHOLD, thresholdMode: 'every' },
	async happen(account, time) {
		const { id } = await code(account);
		await account.sandbox.simulate({ scans: [{ id, count: THRESHOLD }] });
		return [`${id} ${(time + 1) * THRESHOLD}`];
	},
	tell: ({ id, threshold }) => `${String(id)} ${String(threshold)}`,
};

export const HAPPENINGS = [createdLink, createdCode, clickedLink, scannedCode, reachedLink, reachedCode];

/** After it, a key that was refused is tried again. */
const aMinute = async () => await new Promise((resolve) => setTimeout(resolve, 61_000));

const POLLS = 3;
const MOST_ACTIVATIONS = 4;

/** Turns the trigger on, again where that is refused, as a user does. */
async function activate(account: Account, { event, parameters = {} }: Happening): Promise<TriggerHost> {
	for (let tries = 1; ; tries++) {
		const host = new TriggerHost({ credential: account.credential, parameters: { event, ...parameters } });
		try {
			await host.activate();
			return host;
		} catch (error) {
			if (tries === MOST_ACTIVATIONS) throw error;
			await aMinute();
		}
	}
}

/** Polls while things happen, and some times after that. @returns what was told, and what there was to tell */
export async function watch(account: Account, happening: Happening): Promise<{ told: Told; wanted: Told }> {
	const host = await activate(account, happening);
	const told: Told = [];
	const wanted: Told = [];
	const poll = async () => {
		// A poll that fails is a failed execution, and the next one comes all the same, before anything else happens.
		const items = await host.poll().catch(async () => await aMinute().then(async () => await host.poll()));
		told.push(...items.map((item) => happening.tell(item)));
	};
	// Where the activation had no time for all of it, the baseline is read by the polls after it.
	await poll();
	await poll();
	for (let time = 0; time < POLLS; time++) {
		wanted.push(...(await happening.happen(account, time)));
		await poll();
	}
	await poll();
	await poll();
	return { told: told.sort(), wanted: wanted.sort() };
}
