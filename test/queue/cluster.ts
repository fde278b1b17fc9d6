import { randomBytes } from 'crypto';
import { readFileSync } from 'fs';
import { join } from 'path';
import { freePort, type N8n, N8nWorker, startN8n } from '../n8n/host';
import { PROJECT } from '../n8n/host/installation';
import { Registry } from '../../tools/registry';
import { type ComposeService, composeServices } from './compose';
import { PostgresDatabase, RedisKeys } from './stores';

/** What of the compose file's environment leads elsewhere here: to a PostgreSQL and a Redis that are shared with others. */
export const REPLACED = [
	'DB_POSTGRESDB_HOST',
	'DB_POSTGRESDB_PORT',
	'DB_POSTGRESDB_DATABASE',
	'DB_POSTGRESDB_USER',
	'DB_POSTGRESDB_PASSWORD',
	'QUEUE_BULL_REDIS_HOST',
	'QUEUE_BULL_REDIS_PORT',
];

/**
 * What a user could write into .env as well: n8n takes a worker for dead after ten seconds instead of a minute, so that the tests
 * need not wait as long.
 */
const QUICK = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

/** n8n as examples/deploy/compose.yaml starts it, but for containers: one main and the workers, on PostgreSQL and Redis. */
export class Cluster {
	private readonly ends: Array<() => Promise<void>> = [];

	private n8n: N8n | undefined;

	/** The compose file's services, with the values that this cluster has put in for its variables. */
	services: Record<string, ComposeService> = {};

	readonly workers: N8nWorker[] = [];

	private constructor() {}

	/** The process with the editor, the webhooks and the polling. */
	get main(): N8n {
		if (this.n8n === undefined) throw new Error('The main is not running.');
		return this.n8n;
	}

	/** Starts everything; the package comes from a registry, as it does for users. */
	static async start(): Promise<Cluster> {
		const cluster = new Cluster();
		try {
			await cluster.start();
		} catch (error) {
			await cluster.stop();
			throw error;
		}
		return cluster;
	}

	/** Ends all processes, and removes what they left in PostgreSQL and Redis. */
	async stop(): Promise<void> {
		for (let end = this.ends.pop(); end !== undefined; end = this.ends.pop()) await end();
	}

	private async start(): Promise<void> {
		const name = `link_management_${randomBytes(6).toString('hex')}`;
		const redis = await RedisKeys.connect(name);
		this.ends.push(async () => await redis.remove());
		const postgres = await PostgresDatabase.create(name);
		this.ends.push(async () => await postgres.drop());
		const registry = await Registry.start();
		this.ends.push(async () => await registry.stop());
		const checksum = await registry.publish();

		const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { version: string };
		const port = await freePort();
		this.services = composeServices({
			N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
			POSTGRES_PASSWORD: 'unused',
			N8N_URL: `http://127.0.0.1:${port}`,
			LINK_MANAGEMENT_VERSION: version,
			LINK_MANAGEMENT_CHECKSUM: checksum,
			...QUICK,
		});
		const { main, worker } = this.services;
		const elsewhere = { ...postgres.env, ...redis.env, ...registry.env };
		this.n8n = await startN8n({ package: false, port, env: { ...main.environment, ...elsewhere } });
		this.ends.push(async () => await this.main.stop());
		// The workers start once the main is ready, and together.
		const starting = Array.from({ length: worker.deploy?.replicas ?? 1 }, async () => {
			const started = await N8nWorker.start({ command: worker.command, env: { ...worker.environment, ...elsewhere } });
			this.workers.push(started);
			this.ends.push(async () => await started.stop());
		});
		const failed = (await Promise.allSettled(starting)).find((result) => result.status === 'rejected');
		if (failed !== undefined) throw failed.reason;
	}
}
