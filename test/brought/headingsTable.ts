/** The table of docs/operations.md that says what the columns of a sheet may be called. */
import { columnKey } from '../../nodes/LinkManagement/fields/columnNames';
import { HEADINGS } from '../../nodes/LinkManagement/fields/headings';
import { columns } from '../../nodes/LinkManagement/resources/link/columns';

export function headingsTable(): string {
	const rows = columns.map(({ name, label, shownAs = [] }) => {
		const { en = [], like: _like, ...others } = HEADINGS[name] ?? {};
		const seen = new Set([columnKey(label)]);
		const isNew = (title: string) => !seen.has(columnKey(title)) && seen.add(columnKey(title));
		const own = [name, ...shownAs].filter(isNew).map((one) => `\`${one}\``);
		const english = en.filter(isNew);
		const inLanguages = Object.values(others).flatMap((names) => (names ?? []).filter(isNew));
		return `| **${label}** | ${[...own, ...english].join(', ')} | ${inLanguages.join(', ')} |\n`;
	});
	return `| column | also | in other languages |\n| --- | --- | --- |\n${rows.join('')}`;
}
