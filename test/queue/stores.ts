import Redis from 'ioredis';
import { userInfo } from 'os';
import { Client } from 'pg';

/** The URL of a PostgreSQL database whose user may create databases. */
const POSTGRES_VARIABLE = 'TEST_POSTGRES_URL';
/** The URL of a Redis server. */
const REDIS_VARIABLE = 'TEST_REDIS_URL';

/** Where Debian's PostgreSQL lets users of the machine in without a password, and where others do. */
const LOCAL_POSTGRES = ['/var/run/postgresql', '127.0.0.1'];
const LOCAL_REDIS = 'redis://127.0.0.1:6379';
const CONNECT_TIMEOUT_MS = 5000;
/** Redis deletes so many keys at a time. */
const BATCH = 500;

function reasonOf(error: unknown): string {
	// When a name has several addresses, Node joins their errors and leaves the message empty.
	const errors = error instanceof AggregateError ? (error.errors as Error[]) : [error as Error];
	return errors.map(({ message }) => message).join('; ');
}

async function connectPostgres(): Promise<Client> {
	const failures: string[] = [];
	const named = process.env[POSTGRES_VARIABLE];
	const user = encodeURIComponent(userInfo().username);
	const local = LOCAL_POSTGRES.map((host) => `postgres://${user}@/postgres?host=${encodeURIComponent(host)}`);
	for (const connectionString of named === undefined ? local : [named]) {
		const client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
		try {
			await client.connect();
			return client;
		} catch (error) {
			failures.push(`${client.host}:${client.port} as ${client.user}: ${reasonOf(error)}`);
		}
	}
	throw new Error(
		`These tests need PostgreSQL, and none let them in:\n  ${failures.join('\n  ')}\nStart one on this machine, or set ${POSTGRES_VARIABLE} to ` +
			'postgres://user:password@host:5432/postgres, with a user that may create databases.',
	);
}

/** What is this cluster's own on a server that others use too. */
interface Store {
	/** n8n's environment variables that lead to it. */
	env: Record<string, string>;
	remove(): Promise<void>;
}

/**
 * Creates a database of one's own on a PostgreSQL server; it is removed whoever is still connected.
 *
 * @throws {Error} that says what to start or set when there is no server
 */
export async function createDatabase(name: string): Promise<Store> {
	const client = await connectPostgres();
	await client.query(`CREATE DATABASE "${name}"`);
	const remove = async () => {
		await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
		await client.end();
	};
	const env = {
		DB_POSTGRESDB_HOST: client.host,
		DB_POSTGRESDB_PORT: String(client.port),
		DB_POSTGRESDB_DATABASE: name,
		DB_POSTGRESDB_USER: client.user ?? '',
		DB_POSTGRESDB_PASSWORD: client.password ?? '',
	};
	return { env, remove };
}

/**
 * Keys of one's own on a Redis server.
 *
 * @param prefix what they begin with
 * @throws {Error} that says what to start or set when there is no server
 */
export async function redisKeys(prefix: string): Promise<Store> {
	const url = process.env[REDIS_VARIABLE] ?? LOCAL_REDIS;
	const redis = new Redis(url, { lazyConnect: true, connectTimeout: CONNECT_TIMEOUT_MS, retryStrategy: () => null });
	let failure: unknown;
	redis.on('error', (error) => {
		failure = error;
	});
	const { host, port, username, password, db, tls } = redis.options;
	try {
		await redis.connect();
	} catch (error) {
		throw new Error(
			`These tests need Redis, and none answered at ${host}:${port}: ${reasonOf(failure ?? error)}\n` +
				`Start one on this machine, or set ${REDIS_VARIABLE} to redis://user:password@host:6379/0 (rediss:// for TLS).`,
		);
	}
	const remove = async () => {
		// n8n puts the queue's prefix into braces where Redis is a cluster.
		for await (const keys of redis.scanStream({ match: `*${prefix}*`, count: BATCH }))
			if ((keys as string[]).length > 0) await redis.del(...(keys as string[]));
		await redis.quit();
	};
	const env = {
		QUEUE_BULL_REDIS_HOST: host ?? '',
		QUEUE_BULL_REDIS_PORT: String(port),
		QUEUE_BULL_REDIS_DB: String(db ?? 0),
		QUEUE_BULL_REDIS_USERNAME: username ?? '',
		QUEUE_BULL_REDIS_PASSWORD: password ?? '',
		QUEUE_BULL_REDIS_TLS: String(tls !== undefined),
		QUEUE_BULL_PREFIX: `${prefix}-bull`,
		N8N_REDIS_KEY_PREFIX: `${prefix}-n8n`,
	};
	return { env, remove };
}
