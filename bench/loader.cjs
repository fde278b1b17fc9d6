/**
 * Loads a community package as n8n does when it starts, in a process that has loaded n8n's engine, and prints what that took:
 * `node --expose-gc loader.cjs <n8n's folder> <the package's folder>`, with NODE_PATH leading to n8n's packages.
 */
const { createRequire } = require('module');
const { join } = require('path');

const [n8nFolder, packageFolder] = process.argv.slice(2);
const { PackageDirectoryLoader } = createRequire(join(n8nFolder, 'node_modules', 'n8n', 'package.json'))('n8n-core');

async function main() {
	global.gc();
	const heapBefore = process.memoryUsage().heapUsed;
	const begin = performance.now();
	const loader = new PackageDirectoryLoader(packageFolder);
	await loader.loadAll();
	const milliseconds = performance.now() - begin;
	global.gc();
	const heapBytes = process.memoryUsage().heapUsed - heapBefore;
	console.log(JSON.stringify({ milliseconds, heapBytes, nodes: Object.keys(loader.nodeTypes).length }));
	process.exit(0);
}

main();
