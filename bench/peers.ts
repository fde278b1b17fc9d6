import { cpSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import type { Installation } from '../test/n8n/host';

const PACKAGE = 'n8n-nodes-bench-peers';

export const BITLY_TYPE = `${PACKAGE}.bitly`;

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

/** Puts n8n's Bitly node beside the package, as a community package of its own. */
export function installPeers(userFolder: string, { folder }: Installation): void {
	const target = join(userFolder, '.n8n', 'nodes', 'node_modules', PACKAGE);
	cpSync(join(folder, 'node_modules', 'n8n-nodes-base', 'dist', 'nodes', 'Bitly'), target, { recursive: true });
	const n8n = { n8nNodesApiVersion: 1, nodes: ['Bitly.node.js'] };
	writeFileSync(join(target, 'package.json'), JSON.stringify({ name: PACKAGE, version: '1.0.0', private: true, n8n }));
	for (const [file, theirs, ours] of FOR_OUR_SERVICE) {
		const path = join(target, file);
		const code = readFileSync(path, 'utf8');
		if (!code.includes(theirs))
			throw new Error(`n8n's Bitly node has changed: ${file} does not hold ${theirs} any more.`);
		writeFileSync(path, code.replace(theirs, ours));
	}
}
