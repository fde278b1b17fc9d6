import type { IDataObject } from 'n8n-workflow';

import type { N8n } from './host';

/** What n8n adds to the rows of a Data Table. */
const ADDED = ['id', 'createdAt', 'updatedAt'];

const equal = (columnName: string, value: unknown) => ({
	type: 'and',
	filters: [{ columnName, condition: 'eq', value }],
});

/** A Data Table of n8n. */
export class DataTable {
	private constructor(
		private readonly n8n: Pick<N8n, 'rest'>,
		private readonly path: string,
		/** How nodes choose it. */
		readonly locator: { __rl: true; mode: 'list'; value: string },
	) {}

	/** @param columns name → type */
	static async create(
		n8n: Pick<N8n, 'rest'>,
		name: string,
		columns: Record<string, 'string' | 'number'>,
	): Promise<DataTable> {
		const { id: project } = await n8n.rest<{ id: string }>('GET', '/rest/projects/personal');
		const tables = `/rest/projects/${project}/data-tables`;
		const { id } = await n8n.rest<{ id: string }>('POST', tables, {
			name,
			columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
		});
		return new DataTable(n8n, `${tables}/${id}`, { __rl: true, mode: 'list', value: id });
	}

	/** Its rows, in their order, without what n8n adds. */
	async rows(): Promise<IDataObject[]> {
		const query = { take: 250, sortBy: 'id:asc' };
		const { data } = await this.n8n.rest<{ data: IDataObject[] }>('GET', `${this.path}/rows`, undefined, query);
		return data.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !ADDED.includes(name))));
	}

	async insert(rows: IDataObject[]): Promise<void> {
		await this.n8n.rest('POST', `${this.path}/insert`, { data: rows, returnType: 'count' });
	}

	/** Changes the rows that have a value in a column. */
	async update(column: string, value: unknown, data: IDataObject): Promise<void> {
		await this.n8n.rest('PATCH', `${this.path}/rows`, { filter: equal(column, value), data });
	}

	/** Deletes the rows that have a value in a column. */
	async remove(column: string, value: unknown): Promise<void> {
		const filter = JSON.stringify(equal(column, value));
		await this.n8n.rest('DELETE', `${this.path}/rows`, undefined, { filter });
	}

	async delete(): Promise<void> {
		await this.n8n.rest('DELETE', this.path);
	}
}
