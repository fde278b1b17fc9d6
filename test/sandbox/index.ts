import type { AddressInfo } from 'net';
import type { FastifyInstance } from 'fastify';
import { Backend } from './backend';
import { loadContract, type Contract } from './contract';
import { controlOf, perform, type SandboxControl, type SandboxState, type Violation } from './control';
import { createPictureStore } from './pictures';
import { createServer } from './server';

export * from './control';
export type { BadTypes, Fault, FaultPlace } from './faults';
export type { LimitSettings } from './limit';
export { formatMoment } from './records';
export type { LedgerEntry, RecordCounts, RecordsToCreate, RecordTypes, StoredLink, StoredQr } from './records';
export { DIALECTS, type Behavior, type Dialect } from './dialect';
export type { PictureRequest } from './pictures';
export * from './sheet';

export interface SandboxOptions extends SandboxState {
	/** 0 (the default) takes a free port. */
	port?: number;
	/** test/contract/openapi.yaml when left out. */
	contract?: Contract;
	/** The address by which it names itself, as a service behind a proxy does: that at which it listens when left out. */
	publicUrl?: string;
	/** Is told of each breach of the contract; writes it to stderr when left out. */
	onViolation?: (violation: Violation) => void;
}

const HOST = '127.0.0.1';

/** Where services of this process have listened: what a client learned of one must not be taken for what it knows of another. */
const portsBefore = new Set<number>();

/** A sandbox in this process. */
export interface Sandbox extends SandboxControl {
	readonly port: number;
	/** The first key that the service accepts. */
	readonly apiKey: string;
	/** Ends the service and every connection to it. */
	stop(): Promise<void>;
}

/**
 * Starts a service that keeps the contract. Operations that it has no behavior for are answered with the contract's example.
 * @throws Error when the port is taken
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const {
		port: wantedPort = 0,
		publicUrl,
		onViolation = writeViolation,
		contract = await loadContract(),
		...state
	} = options;
	const stopping = new AbortController();
	let backend: Backend | undefined;
	const listen = async (): Promise<{ server: FastifyInstance; port: number }> => {
		const server = createServer(
			() => {
				if (!backend) throw new Error('The sandbox is still starting');
				return backend;
			},
			contract,
			stopping.signal,
		);
		await server.listen({ port: wantedPort, host: HOST });
		const { port } = server.server.address() as AddressInfo;
		if (wantedPort !== 0 || !portsBefore.has(port)) return { server, port };
		await server.close();
		return await listen();
	};
	const { server, port } = await listen();
	portsBefore.add(port);
	const url = `http://${HOST}:${port}`;
	const pictureStore = createPictureStore((request) => backend?.pictureSeen(request));
	const service = new Backend(publicUrl ?? url, await pictureStore.listen({ port: 0, host: HOST }), state, onViolation);
	backend = service;
	const stop = async (): Promise<void> => {
		stopping.abort();
		await Promise.all([server.close(), pictureStore.close()]);
	};
	const control = controlOf(url, (name, args) => perform(service.actions, name, args));
	return Object.assign(control, { port, apiKey: service.settings.apiKeys[0], stop });
}

function writeViolation({ method, path, where, errors }: Violation): void {
	process.stderr.write(`sandbox: ${where} breaks the contract: ${method} ${path}: ${errors.join('; ')}\n`);
}
