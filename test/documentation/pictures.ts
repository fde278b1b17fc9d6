/** The pictures of the pages, and what of the node each of them shows. */
import { createHash } from 'crypto';
import { readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import type { INodeProperties } from 'n8n-workflow';

import { LinkManagementApi } from '../../credentials/LinkManagementApi.credentials';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';

export const PICTURES = join(__dirname, '..', '..', 'docs', 'images');

/** The prints of what the pictures showed when they were taken, by their names. */
const PRINTS = join(PICTURES, 'shown.json');

const { properties, hints } = new LinkManagement().description;

/** What the panel shows of an operation. */
function operation(resource: string, value: string): unknown {
	const isShown = ({ displayOptions: { show = {} } = {} }: INodeProperties) =>
		[
			[show.resource, resource],
			[show.operation, value],
		].every(([values, one]) => values === undefined || (values as unknown[]).includes(one));
	return properties.filter(isShown);
}

function trigger(): unknown {
	const { properties: parameters } = new LinkManagementTrigger().description;
	// n8n adds the poll times, by its own version.
	return parameters.filter(({ name }) => name !== 'pollTimes');
}

const actions = () => properties.filter(({ name }) => name === 'operation').map(({ options }) => options);

const SHOWN: Record<string, () => unknown> = {
	'agent-tool': () => operation('link', 'upsert'),
	'bad-row-dark': () => operation('link', 'upsert'),
	'bad-row-light': () => operation('link', 'upsert'),
	'campaign-dropdown': () => operation('campaign', 'update'),
	'create-link-dark': () => operation('link', 'create'),
	'create-link-light': () => operation('link', 'create'),
	credential: () => new LinkManagementApi().properties,
	'credential-works': () => new LinkManagementApi().properties,
	'fields-before-a-run': () => operation('link', 'create'),
	'nodes-panel': actions,
	'qr-code': () => operation('qrCode', 'download'),
	'sheet-in-sync': () => [operation('link', 'upsert'), hints],
	trigger,
};

export const pictureNames = Object.keys(SHOWN);

/** A print of what a picture shows, as the description is now: another one where that has changed. */
function printOf(picture: string): string {
	const text = JSON.stringify(SHOWN[picture](), (_key, value: unknown) =>
		value instanceof RegExp ? String(value) : value,
	);
	return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function printsWhenTaken(): Record<string, string> {
	return JSON.parse(readFileSync(PRINTS, 'utf8')) as Record<string, string>;
}

/** Whether a picture shows the node as it was before. */
export function isOld(picture: string): boolean {
	return printsWhenTaken()[picture] !== printOf(picture);
}

/** Notes what a picture shows that was just taken. */
export function noteTaken(picture: string): void {
	const prints = { ...printsWhenTaken(), [picture]: printOf(picture) };
	const sorted = Object.fromEntries(Object.entries(prints).sort(([one], [other]) => (one < other ? -1 : 1)));
	writeFileSync(PRINTS, `${JSON.stringify(sorted, null, '\t')}\n`);
}
