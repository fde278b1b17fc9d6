/**
 * What GitHub's own parser finds wrong with workflow files: `node --import tsx workflowProblems.mjs <file>…` prints as JSON an array of
 * sentences for each.
 * A program of its own, for the parser is an ES module. It imports JSON as bundlers do, which tsx does too.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { ErrorPolicy } from '@actions/workflow-parser/model/convert';

const all = [];
for (const path of process.argv.slice(2)) {
	const name = basename(path);
	const { context, value } = parseWorkflow({ name, content: readFileSync(path, 'utf8') }, new NoOperationTraceWriter());
	const problems = context.errors.getErrors().map(({ message }) => message);
	all.push(problems);
	if (value === undefined) continue;
	const { errors = [] } = await convertWorkflowTemplate(context, value, undefined, {
		errorPolicy: ErrorPolicy.TryConversion,
	});
	problems.push(...errors.map(({ Message }) => Message));
}
console.log(JSON.stringify(all));
