import { randomBytes } from 'crypto';
import { version } from '../../package.json';
import { freePort, type N8n, N8nWorker, startN8n } from '../n8n/host';
import { Registry } from '../../tools/registry';
import { type ComposeService, composeServices } from './compose';
import { createDatabase, redisKeys } from './stores';

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

/** The tests start their runs as the editor does: they are to go to the workers, as in n8n 3, which has no such variable any more. */
const FROM_THE_EDITOR = { OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' };

/** n8n as examples/deploy/compose.yaml starts it, but for containers: one main and the workers, on PostgreSQL and Redis. */
export interface Cluster {
	/** The compose file's services, with the values that this cluster has put in for its variables. */
	services: Record<string, ComposeService>;
	/** The process with the editor, the webhooks and the polling. */
	main: N8n;
	workers: N8nWorker[];
	/** Ends all processes, and removes what they left in PostgreSQL and Redis. */
	stop(): Promise<void>;
}

/** Starts everything; the package comes from a registry, as it does for users. */
export async function startCluster(): Promise<Cluster> {
	const ends: Array<() => Promise<void>> = [];
	const stop = async (): Promise<void> => {
		for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
	};
	try {
		const name = `link_management_${randomBytes(6).toString('hex')}`;
		const redis = await redisKeys(name);
		ends.push(redis.remove);
		const postgres = await createDatabase(name);
		ends.push(postgres.remove);
		const registry = await Registry.start();
		ends.push(async () => await registry.stop());
		const port = await freePort();
		const services = composeServices({
			N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
			POSTGRES_PASSWORD: 'unused',
			N8N_URL: `http://127.0.0.1:${port}`,
			LINK_MANAGEMENT_VERSION: version,
			LINK_MANAGEMENT_CHECKSUM: await registry.publish(),
			...QUICK,
		});
		const elsewhere = { ...postgres.env, ...redis.env, ...registry.env };
		const main = await startN8n({
			package: false,
			port,
			env: { ...services.main.environment, ...elsewhere, ...FROM_THE_EDITOR },
		});
		ends.push(async () => await main.stop());
		// The workers start once the main is ready, and together.
		const { command, environment, deploy } = services.worker;
		const workers: N8nWorker[] = [];
		const starting = Array.from({ length: deploy?.replicas ?? 1 }, async () => {
			const worker = await N8nWorker.start(command, { ...environment, ...elsewhere, ...FROM_THE_EDITOR });
			workers.push(worker);
			ends.push(async () => await worker.process.end());
		});
		const failed = (await Promise.allSettled(starting)).find((result) => result.status === 'rejected');
		if (failed !== undefined) throw failed.reason;
		return { services, main, workers, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
