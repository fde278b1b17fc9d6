/** n8n's UX guidelines, as far as its linter does not look: docs/proof/verification.md says where each point stands. */
import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';

import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import ts from 'typescript';

import { LinkManagementApi } from '../../credentials/LinkManagementApi.credentials';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { resources } from '../../nodes/LinkManagement/resources';

const NODES = join(__dirname, '..', '..', 'nodes');

/** These properties and all within them. */
function everyProperty(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => {
		const { type, options = [] } = property;
		if (type === 'collection') return [property, ...everyProperty(options as INodeProperties[])];
		if (type === 'fixedCollection')
			return [property, ...everyProperty((options as INodePropertyCollection[]).flatMap(({ values }) => values))];
		return [property];
	});
}

const own = [new LinkManagement(), new LinkManagementTrigger()].flatMap(({ description }) => description.properties);
const properties = everyProperty([...own, ...new LinkManagementApi().properties]);

test('placeholders of fields are examples', () => {
	const filled = properties.filter(({ type, placeholder = '' }) => placeholder !== '' && !/[cC]ollection/.test(type));
	expect(filled.length).toBeGreaterThan(10);
	const modes = properties
		.flatMap(({ modes: ways = [] }) => ways)
		.filter(({ type, placeholder = '' }) => type === 'string' && placeholder !== '');
	for (const { displayName, placeholder } of [...filled, ...modes])
		expect([displayName, placeholder]).toEqual([displayName, expect.stringMatching(/^e\.g\. \S/)]);
});

test.each(
	resources.flatMap(({ name, operations }) =>
		operations.map((operation): [string, typeof operation] => [name, operation]),
	),
)('%s: the action names the resource, the operation does not repeat it', (resource, { name, action }) => {
	expect(action.toLowerCase()).toContain(resource.toLowerCase().replace(/s$/, ''));
	expect(name).not.toContain(resource);
});

/** The strings of a source file, with … for what is filled in. */
function textsIn(path: string): string[] {
	const texts: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteralLike(node)) texts.push(node.text);
		if (ts.isTemplateExpression(node))
			texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'));
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest));
	return texts;
}

test('messages do not blame: no error, problem, failure or mistake', () => {
	const texts = readdirSync(NODES, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
		.flatMap(({ parentPath, name }) => textsIn(join(parentPath, name)))
		.filter((text) => text.includes(' '));
	expect(texts.length).toBeGreaterThan(200);
	expect(texts).toContain('The service refused the request without saying why (HTTP …)');
	// "On Error" is the name of a setting of n8n's.
	const blaming = (text: string) =>
		/\b(errors?|problems?|failures?|failed|mistakes?)\b/i.test(text.replaceAll('On Error', ''));
	expect(texts.filter(blaming)).toEqual([]);
});
