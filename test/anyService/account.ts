/** An account at a service of the family, and what a job may ask of both. */
import type { IDataObject } from 'n8n-workflow';

import { run, type Credential, type NodeSettings, type Outcome } from '../engine/host';
import { EXPIRY, type Behavior, type LinkWithAddress, type Sandbox } from '../sandbox';
import { obstacleOf, type Need, type Obstacle } from './obstacles';
import { wholeBehavior, type Service } from './services';

let keys = 0;

/** Links with aliases that no service would give today, and with addresses that services write in more than one way. */
export const ODD_LINKS = [
	{ alias: 'Odd/Slash', longurl: 'https://example.com/odd/slash/', title: 'Tom & Jerry' },
	{ alias: 'odd space', longurl: 'https://example.com/odd?next=%2Fa%26b%23c', title: 'A "quoted" title' },
	{ alias: 'OddCapital', longurl: 'https://example.com/odd#part' },
];

/** The second key of an account. */
const afterRestart = (key: string) => `${key}-after`;

export class Account {
	private constructor(
		readonly sandbox: Sandbox,
		readonly service: Service,
		readonly behavior: Behavior,
		readonly credential: Credential,
	) {}

	/** Opens an account with some records of each kind; nothing is known of the service yet. */
	static async at(sandbox: Sandbox, service: Service): Promise<Account> {
		const key = `any-service-key-${++keys}`;
		await sandbox.reset({
			seed: service.seed,
			deviations: service.deviations,
			apiKeys: [key, afterRestart(key)],
			records: { links: 23, qrs: 16, pixels: 3, splash: 1, overlays: 2 },
			limit: { requests: 100_000 },
		});
		await sandbox.createRecords({ links: ODD_LINKS.map((link) => ({ ...link, date: '2024-12-30 12:00:00' })) });
		await sandbox.createRecords({
			links: ['first', 'second', 'third', 'fourth'].map((alias) => ({
				alias: `known-${alias}`,
				longurl: `https://example.com/known/${alias}`,
				description: 'A note',
				expiry: EXPIRY,
				location: { germany: 'https://example.com/de' },
				date: '2024-12-31 12:00:00',
			})),
			campaigns: [{ name: 'Spring fair' }],
			channels: [{ name: 'Newsletter' }],
		});
		await sandbox.setFaults(service.faults, service.seed);
		const header = service.header ? { header: true, headerName: 'Cookie', headerValue: 'passage=granted' } : {};
		return new Account(sandbox, service, wholeBehavior(service), { baseUrl: sandbox.url, apiKey: key, ...header });
	}

	/** The same account, in an n8n that knows nothing of what was done before. */
	restarted(): Account {
		const { sandbox, service, behavior, credential } = this;
		return new Account(sandbox, service, behavior, { ...credential, apiKey: afterRestart(credential.apiKey) });
	}

	async run(parameters: IDataObject, rows: IDataObject[] = [{}], node: NodeSettings = {}): Promise<Outcome> {
		return await run(parameters, { credential: this.credential, rows, node });
	}

	/** Runs the node and gives the JSON of its items. @throws what the node threw */
	async items(parameters: IDataObject, rows?: IDataObject[]): Promise<IDataObject[]> {
		const { items, error } = await this.run(parameters, rows);
		if (error !== undefined) throw error;
		return items.map(({ json }) => json);
	}

	/** The words of the error in which everything has to end that needs all this. */
	obstacle(...needs: Need[]): Obstacle {
		return obstacleOf(this.behavior, this.service, needs);
	}

	async link(alias: string): Promise<LinkWithAddress | undefined> {
		return (await this.sandbox.links()).find((link) => link.alias === alias);
	}
}
