/**
 * Makes of nodes the definitions that n8n's own workflow builders read: `node definitions.cjs <file>`, run in the folder of an n8n; the
 * file holds the descriptions of the nodes. Prints them.
 */
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('fs');
const { createRequire } = require('module');
const { tmpdir } = require('os');
const { join } = require('path');

const inN8n = createRequire(join(process.cwd(), 'package.json'));
const { generateNodeDefinitions } = inN8n('@n8n/workflow-sdk/dist/generate-types/generate-node-defs-cli');
const { synthesizeNodeTypeDef } = inN8n('n8n/dist/modules/mcp-registry/synthesize-type-def.js');

async function main() {
	const descriptions = JSON.parse(readFileSync(process.argv[2], 'utf8'));
	const outputDir = mkdtempSync(join(tmpdir(), 'link-management-definitions-'));
	try {
		const nodesJsonPath = join(outputDir, 'nodes.json');
		writeFileSync(nodesJsonPath, JSON.stringify(descriptions));
		// It prints what it does.
		console.log = () => {};
		await generateNodeDefinitions({ nodesJsonPath, outputDir });
		process.stdout.write(JSON.stringify(descriptions.map((description) => synthesizeNodeTypeDef(description))));
	} finally {
		rmSync(outputDir, { recursive: true });
	}
}

main();
