/** The project's Markdown pages, read and, where they are made by tests, written. */
import { readdirSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';

/** The project's folder. */
export const PROJECT = join(__dirname, '..', '..');

/** Pages that people read, as paths below the project's folder. */
export const PAGES = ['', 'docs', 'docs/proof', 'examples']
	.map((folder) => join(PROJECT, folder))
	.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
	.filter((path) => path.endsWith('.md'))
	.map((path) => path.slice(PROJECT.length + 1));

export function page(path: string): string {
	return readFileSync(join(PROJECT, path), 'utf8');
}

/** The text without its fenced blocks. */
export function proseOf(markdown: string): string {
	return markdown.replace(/^```\w*\n.*?^```$/gms, '');
}

/** The rows of all tables, without their heads. */
export function rowsIn(markdown: string): string[][] {
	const tables = markdown.match(/(?:^\|.*\|\n)+/gm) ?? [];
	const rows = tables.flatMap((table) => table.trimEnd().split('\n').slice(2));
	return rows.map((row) =>
		row
			.slice(1, -1)
			.split('|')
			.map((cell) => cell.trim()),
	);
}

/** The rows of the first table, without its head. */
export function tableOf(markdown: string): string[][] {
	return rowsIn(/(?:^\|.*\|\n)+/m.exec(markdown)?.[0] ?? '');
}

/** The address of the project's files for readers elsewhere, such as on npm and in n8n: of pages, and of pictures. */
const ADDRESSES = [
	/^https:\/\/github\.com\/n8n-nodes-link-management\/n8n-nodes-link-management\/(?:blob|tree)\/main\//,
	/^https:\/\/raw\.githubusercontent\.com\/n8n-nodes-link-management\/n8n-nodes-link-management\/main\//,
];

/**
 * The project's file that a link leads to, as a path below the project's folder.
 *
 * @param path the page that the link stands on
 * @param target where it leads, without a fragment; empty for the page itself
 * @returns undefined for other sites
 */
export function fileOf(path: string, target: string): string | undefined {
	if (target === '') return path;
	if (!/^https?:/.test(target)) return join(path, '..', target);
	const address = ADDRESSES.find((one) => one.test(target));
	return address && target.replace(address, '');
}

const marker = (name: string): [start: string, end: string] => [
	`<!-- made by npm run docs: ${name} -->\n`,
	`<!-- end of ${name} -->`,
];

/** The page that has the marks of a part that is made by a test. @throws when there is none */
function pageWith(name: string): string {
	const [start, end] = marker(name);
	const found = PAGES.find((path) => page(path).indexOf(end) > page(path).indexOf(start) && page(path).includes(start));
	if (found === undefined) throw new Error(`No page has the marks "${start.trim()}" and "${end}"`);
	return found;
}

/** What stands between the marks of a part that is made by a test. @throws when there are no marks */
export function madePart(name: string): string {
	const [start, end] = marker(name);
	const text = page(pageWith(name));
	return text.slice(text.indexOf(start) + start.length, text.indexOf(end));
}

/** Puts a made part into the page that has its marks. */
function writePart(name: string, text: string): void {
	const [start, end] = marker(name);
	const path = pageWith(name);
	const old = start + madePart(name) + end;
	writeFileSync(
		join(PROJECT, path),
		page(path).replace(old, () => start + text + end),
	);
}

/** Compares a made part with what it has to be, or writes it. */
export function expectPart(name: string, text: string): void {
	if (process.env.UPDATE_DOCS === 'true') writePart(name, text);
	expect(madePart(name)).toBe(text);
}
