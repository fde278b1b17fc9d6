import { readFileSync } from 'fs';
import type { IDataObject } from 'n8n-workflow';

/** A CSV file of rows with the columns of the first, and no comma or line break in a cell. */
export function csv(rows: IDataObject[]): string {
	const titles = Object.keys(rows[0]);
	return [titles, ...rows.map((row) => titles.map((title) => row[title]))]
		.map((cells) => `${cells.join(',')}\n`)
		.join('');
}

/** The rows of a CSV file without line breaks in its cells. */
export function readCsv(file: string): IDataObject[] {
	// n8n writes a byte order mark, as spreadsheet programs do; it is no part of the first title.
	const [titles, ...rows] = readFileSync(file, 'utf8')
		.replace(/^\uFEFF/, '')
		.trim()
		.split(/\r?\n/)
		.map((line) =>
			[...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
				([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain,
			),
		);
	return rows.map((cells) => Object.fromEntries(titles.map((title, column) => [title, cells[column]])));
}
