/** The workflows to import, as the editor shows them: without a warning about columns. */
import { writeFileSync } from 'fs';
import type { ILoadOptionsFunctions, ResourceMapperField } from 'n8n-workflow';

import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { Example, EXAMPLE_FILES } from '../n8n/example';

interface Mapping {
	value: Record<string, unknown> | null;
	schema: ResourceMapperField[];
}

/** The mappings by hand of an example's nodes. */
function mappingsOf({ workflow }: Example): Mapping[] {
	return workflow.nodes
		.filter(({ type }) => type.startsWith('n8n-nodes-link-management.'))
		.map(({ parameters }) => parameters.columns as unknown as Mapping | undefined)
		.filter((columns) => columns?.value != null) as Mapping[];
}

/**
 * The editor calls stored columns outdated where their number, or one of some properties, is not what the node offers now. What is
 * stored is written again with UPDATE_DOCS.
 */
it.each(EXAMPLE_FILES.filter((file) => mappingsOf(new Example(file)).length > 0))(
	'%s opens without "Fields are outdated": it holds every column that the node offers',
	async (file) => {
		const example = new Example(file);
		const { getLinkColumns } = new LinkManagement().methods.resourceMapping;
		const { fields } = await getLinkColumns.call({} as ILoadOptionsFunctions);
		for (const mapping of mappingsOf(example)) {
			const offered = fields.map((field) => ({ ...field, removed: !(field.id in mapping.value!) }));
			if (process.env.UPDATE_DOCS === 'true') mapping.schema = offered;
			expect(mapping.schema).toEqual(offered);
		}
		if (process.env.UPDATE_DOCS === 'true')
			writeFileSync(example.path, `${JSON.stringify(example.workflow, null, '\t')}\n`);
	},
);
