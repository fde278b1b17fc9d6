/** What n8n's own workflow builders are made of: its validator, and the definition that it makes of a node. */
import { execFile } from 'child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { promisify } from 'util';

import type { INodeTypeDescription } from 'n8n-workflow';

import { installation, type WorkflowJson } from './host';

interface Issue {
	code: string;
	message: string;
}

/** What validate.cjs prints. */
export interface Validated {
	results: Array<{ workflow: WorkflowJson; issues: Issue[] }>;
	/** What builders read of each node. */
	definitions: string[];
}

/**
 * Hands workflows to the builders of the newest n8n.
 *
 * @param descriptions of this package's nodes, by their full names
 * @param sources in the code of n8n's workflow SDK
 */
export async function build(descriptions: INodeTypeDescription[], sources: string[] = []): Promise<Validated> {
	const { folder, node } = await installation();
	const temporary = mkdtempSync(join(tmpdir(), 'link-management-builder-'));
	try {
		const file = join(temporary, 'sources.json');
		writeFileSync(file, JSON.stringify({ descriptions, sources }));
		const validator = join(__dirname, 'validate.cjs');
		const { stdout } = await promisify(execFile)(node, [validator, file], { cwd: folder, maxBuffer: 1e7 });
		return JSON.parse(stdout) as Validated;
	} finally {
		rmSync(temporary, { recursive: true });
	}
}

/** What the parameters of an operation are called in the definition of the node. */
export function typeName(resource: unknown, operation: unknown): string {
	const pascal = (word: unknown) => String(word).replace(/^./, (first) => first.toUpperCase());
	return `LinkManagementV1${pascal(resource)}${pascal(operation)}Params`;
}
