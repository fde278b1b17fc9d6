import { cpSync, readdirSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import type { Installation } from '../../test/n8n/host';

const PEERS = 'n8n-nodes-bench-peers';

export const ALIKE = 'n8n-nodes-bench-alike';
const ALIKE_PACKAGE = {
	name: ALIKE,
	version: '1.0.0',
	private: true,
	n8n: { n8nNodesApiVersion: 1, nodes: ['Harvest.node.js'] },
};

export const FLOOR_TYPE = `${PEERS}.floor`;
export const NAIVE_TYPE = `${PEERS}.naive`;
export const BITLY_TYPE = `${PEERS}.bitly`;

/**
 * What n8n's Bitly node has to be told to speak to our service: its address and endpoint, and the names of two fields.
 * Nothing else of it is changed.
 */
const FOR_OUR_SERVICE: Array<[file: string, theirs: string, ours: string]> = [
	[
		'GenericFunctions.js',
		'`https://api-ssl.bitly.com/v4${resource}`',
		'`${process.env.BENCH_SERVICE_URL}/api/url/add`',
	],
	['Bitly.node.js', 'long_url: longUrl', 'url: longUrl'],
	['Bitly.node.js', 'body.title = additionalFields.title', 'body.custom = additionalFields.title'],
];

/** Where n8n looks for a community package. */
export function packageFolder(userFolder: string, name: string): string {
	return join(userFolder, '.n8n', 'nodes', 'node_modules', name);
}

/** The folder of one of n8n's own nodes. */
function nodeFolder({ folder }: Installation, node: string): string {
	return join(folder, 'node_modules', 'n8n-nodes-base', 'dist', 'nodes', node);
}

/**
 * Installs a node of the size of ours as a community package: n8n's own Harvest node, which needs no other file of n8n's nodes.
 */
export function installAlike(userFolder: string, n8n: Installation): void {
	const target = packageFolder(userFolder, ALIKE);
	cpSync(nodeFolder(n8n, 'Harvest'), target, { recursive: true });
	writeFileSync(join(target, 'package.json'), JSON.stringify(ALIKE_PACKAGE));
}

/** Puts the peers beside the package, as a community package of their own. */
export function installPeers(userFolder: string, n8n: Installation): void {
	const target = packageFolder(userFolder, PEERS);
	for (const file of readdirSync(__dirname).filter((name) => /\.js(on)?$/.test(name)))
		cpSync(join(__dirname, file), join(target, file));
	const bitly = join(target, 'bitly');
	cpSync(nodeFolder(n8n, 'Bitly'), bitly, { recursive: true });
	for (const [file, theirs, ours] of FOR_OUR_SERVICE) {
		const path = join(bitly, file);
		const code = readFileSync(path, 'utf8');
		if (!code.includes(theirs))
			throw new Error(`n8n's Bitly node has changed: ${file} does not hold ${theirs} any more.`);
		writeFileSync(path, code.replace(theirs, ours));
	}
}
