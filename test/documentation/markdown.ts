/** The project's Markdown pages, read and, where they are made by tests, written. */
import { readdirSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';

/** The project's folder. */
export const PROJECT = join(__dirname, '..', '..');

/** Pages that people read, as paths below the project's folder. */
export const PAGES = [PROJECT, join(PROJECT, 'docs')]
	.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
	.filter((path) => path.endsWith('.md'))
	.map((path) => path.slice(PROJECT.length + 1));

export function page(path: string): string {
	return readFileSync(join(PROJECT, path), 'utf8');
}

/** A fenced block of code. */
export interface Block {
	language: string;
	text: string;
}

export function blocksOf(markdown: string): Block[] {
	return [...markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, text]) => ({ language, text }));
}

/** The text without its fenced blocks. */
export function proseOf(markdown: string): string {
	return markdown.replace(/^```\w*\n.*?^```$/gms, '');
}

/** What stands between the heading of this title and the next one of its level or above. @throws when there is none */
export function sectionOf(markdown: string, title: string): string {
	const heading = new RegExp(`^(#+) ${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`, 'm').exec(markdown);
	if (heading === null) throw new Error(`There is no section "${title}"`);
	const rest = markdown.slice(heading.index + heading[0].length);
	const end = new RegExp(`^#{1,${heading[1].length}} `, 'm').exec(rest)?.index;
	return rest.slice(0, end);
}

/** The rows of the first table, without its head. */
export function tableOf(markdown: string): string[][] {
	const [, , ...rows] = (/(?:^\|.*\|\n)+/m.exec(markdown)?.[0] ?? '').trimEnd().split('\n');
	return rows.map((row) => row.slice(1, -1).split('|').map((cell) => cell.trim()));
}

const marker = (name: string): [start: string, end: string] => [`<!-- made by npm run docs: ${name} -->\n`, `<!-- end of ${name} -->`];

/** What stands in the README between the marks of a part that is made by a test. @throws when there are no marks */
export function madePart(name: string): string {
	const [start, end] = marker(name);
	const readme = page('README.md');
	const from = readme.indexOf(start);
	const to = readme.indexOf(end);
	if (from < 0 || to < from) throw new Error(`README.md lacks the marks "${start.trim()}" and "${end}"`);
	return readme.slice(from + start.length, to);
}

/** Puts a made part into the README. */
export function writePart(name: string, text: string): void {
	const [start, end] = marker(name);
	const old = start + madePart(name) + end;
	writeFileSync(join(PROJECT, 'README.md'), page('README.md').replace(old, () => start + text + end));
}
