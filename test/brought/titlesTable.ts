/** The titles of columns by their grades, and the table of docs/operations.md that is made of them. */
import { columnKey, EXPORTS, TITLES, type Grade } from '../../nodes/LinkManagement/columns/titles';
import { columns } from '../../nodes/LinkManagement/resources/link/columns';

/** The titles of a field, in all languages. */
export function titlesOf(name: string, ...grades: Grade[]): string[] {
	return grades.flatMap((grade) => Object.values(TITLES[name]?.[grade] ?? {}).flat());
}

export function titlesTable(): string {
	const rows = columns.map(({ name, label, shownAs = [] }) => {
		const seen = new Set([columnKey(label)]);
		const isNew = (title: string) => !seen.has(columnKey(title)) && seen.add(columnKey(title));
		const [likely, sure] = [['likely'], ['sure', 'usual']].map((grades) => titlesOf(name, ...(grades as Grade[])));
		const isLikely = likely.some((title) => columnKey(title) === columnKey(label));
		const ofLinks = likely.filter((title) => columnKey(title) !== columnKey(name) && isNew(title));
		const own = [name, ...shownAs].filter(isNew).map((one) => `\`${one}\``);
		const always = [...own, ...sure.filter(isNew)];
		return `| **${label}**${isLikely ? '*' : ''} | ${always.join(', ')} | ${ofLinks.join(', ')} |\n`;
	});
	const names = new Map(columns.map(({ name, label }) => [name, label]));
	const exports = EXPORTS.map(({ service, columns: words }) => {
		const read = Object.entries(words).filter(([, name]) => name !== '');
		return `| ${service} | ${read.map(([title, name]) => `\`${title}\` (${names.get(name)})`).join(', ')} |\n`;
	});
	const ofFields = `| column | also | only in a sheet of links |\n| --- | --- | --- |\n${rows.join('')}`;
	return `${ofFields}\n| export of | columns |\n| --- | --- |\n${exports.join('')}`;
}
