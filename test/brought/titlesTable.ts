/** The titles of columns by their lists, and the table of docs/columns.md that is made of them. */
import { columnKey, TITLES } from '../../nodes/LinkManagement/columns/titles';
import { columns, utmColumns } from '../../nodes/LinkManagement/resources/link/columns';

/** The titles of a field, in all languages. */
export function titlesOf(name: string, list: 'own' | 'shared'): string[] {
	const { api: _api, ...languages } = TITLES[name]?.[list] ?? {};
	return Object.values(languages).flat();
}

export function titlesTable(): string {
	const rows = [...columns, ...utmColumns].map(({ name, label }) => {
		const seen = new Set([columnKey(label)]);
		const isNew = (title: string) => !seen.has(columnKey(title)) && seen.add(columnKey(title));
		const isShared = titlesOf(name, 'shared').some((title) => columnKey(title) === columnKey(label));
		const isTitle = isShared || titlesOf(name, 'own').some((title) => columnKey(title) === columnKey(label));
		const api = (TITLES[name].own?.api ?? []).map((title) => `\`${title}\``);
		const [own, shared] = (['own', 'shared'] as const).map((list) => titlesOf(name, list).filter(isNew));
		const field = isTitle ? `**${label}**${isShared ? '*' : ''}` : label;
		return `| ${field} | ${[...own, ...api].join(', ')} | ${shared.join(', ')} |\n`;
	});
	return `| column | own names, read in any sheet | shared names, read in a sheet of links |\n| --- | --- | --- |\n${rows.join('')}`;
}
