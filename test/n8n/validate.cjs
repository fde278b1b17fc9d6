/**
 * Hands workflows to the validator of n8n's workflow SDK, as n8n's own builders do, with definitions made of this package's nodes:
 * `node validate.cjs <file>`, run in the folder of an n8n; the file holds the descriptions of the nodes and the sources.
 * Prints for each source the workflow as n8n saves it, and what the validator found.
 */
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('fs');
const { createRequire } = require('module');
const { tmpdir } = require('os');
const { dirname, join, sep } = require('path');

const inN8n = createRequire(join(process.cwd(), 'package.json'));
const { normalizePinData, parseWorkflowCodeToBuilder, validateWorkflowBuilder } = inN8n('@n8n/workflow-sdk');
const { stripImportStatements } = inN8n('@n8n/ai-workflow-builder');
const { generateNodeDefinitions } = inN8n('@n8n/workflow-sdk/dist/generate-types/generate-node-defs-cli');
const { synthesizeNodeTypeDef } = inN8n('n8n/dist/modules/mcp-registry/synthesize-type-def.js');

/** The definitions that n8n's own nodes bring along. */
function definitionsOf(packageName) {
	return join(dirname(inN8n.resolve(`${packageName}/package.json`)), 'dist', 'node-definitions') + sep;
}

async function main() {
	const { descriptions, sources } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
	const folder = mkdtempSync(join(tmpdir(), 'link-management-definitions-'));
	try {
		const nodesJsonPath = join(folder, 'nodes.json');
		writeFileSync(nodesJsonPath, JSON.stringify(descriptions));
		// It prints what it does.
		console.log = () => {};
		await generateNodeDefinitions({ nodesJsonPath, outputDir: folder });
		const nodeDefinitionDirs = [
			definitionsOf('n8n-nodes-base'),
			definitionsOf('@n8n/n8n-nodes-langchain'),
			folder + sep,
		];
		const byName = new Map(descriptions.map((description) => [description.name, { description }]));
		const nodeTypesProvider = {
			getByName: (name) => byName.get(name),
			getByNameAndVersion: (name) => byName.get(name),
			getKnownTypes: () => ({}),
		};
		const results = sources.map((source) => {
			const builder = parseWorkflowCodeToBuilder(stripImportStatements(source));
			const { issues } = validateWorkflowBuilder(builder, {
				nodeDefinitionDirs,
				nodeTypesProvider,
				lint: true,
				source,
			});
			builder.generatePinData();
			const workflow = builder.toJSON();
			return { workflow: { ...workflow, pinData: normalizePinData(workflow.pinData ?? {}) }, issues };
		});
		const definitions = descriptions.map((description) => synthesizeNodeTypeDef(description));
		process.stdout.write(JSON.stringify({ results, definitions }));
	} finally {
		rmSync(folder, { recursive: true });
	}
}

main();
