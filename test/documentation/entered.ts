/** Parameters of a node as the pages write them: by the names that the editor shows. */
import {
	NodeHelpers,
	type IDataObject,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
	type INodeTypeDescription,
} from 'n8n-workflow';

const code = (value: unknown): string => `\`${String(value)}\``;

/** The property of this name that the editor shows with these parameters. */
function shownProperty(
	name: string,
	properties: INodeProperties[],
	parameters: IDataObject,
	description: INodeTypeDescription,
	root = parameters,
): INodeProperties {
	const shown = properties.find(
		(property) =>
			property.name === name &&
			NodeHelpers.displayParameter(
				parameters as INodeParameters,
				property,
				{ typeVersion: 1 },
				description,
				root as INodeParameters,
			),
	);
	if (shown === undefined) throw new Error(`The editor shows no parameter ${name}`);
	return shown;
}

function valueOf({ type, displayName, options = [], modes = [] }: INodeProperties, value: unknown): string {
	switch (type) {
		case 'boolean':
			return value === true ? 'on' : 'off';
		case 'options':
			return (options as INodePropertyOptions[]).find((option) => option.value === value)?.name ?? code(value);
		case 'resourceLocator': {
			const { mode, value: chosen } = value as { mode: string; value: unknown };
			return `${modes
				.find(({ name }) => name === mode)
				?.displayName.toLowerCase()
				.replace('id', 'ID')} ${code(chosen)}`;
		}
		case 'fixedCollection': {
			const [{ name, values }] = options as INodePropertyCollection[];
			const rows = (value as Record<string, IDataObject[]>)[name];
			return rows
				.map((row) =>
					Object.entries(row)
						.map(([field, given]) => `${values.find((one) => one.name === field)?.displayName} ${code(given)}`)
						.join(' and '),
				)
				.join('; ');
		}
		case 'resourceMapper':
			return Object.entries((value as { value: IDataObject }).value)
				.map(([field, given]) => `${code(field)} ${code(given)}`)
				.join(' and ');
		case 'multiOptions':
			return (value as unknown[]).map(code).join(', ');
		case 'string':
		case 'number':
		case 'color':
			return code(value);
		default:
			throw new Error(`${displayName} is of the type ${type}, which no example has had so far`);
	}
}

/**
 * "**Name** `Winter`, **Public** on": what is entered, in the order of the parameters. What is off is left out.
 *
 * @throws when a parameter is one that the editor would not show
 */
export function entered(description: INodeTypeDescription, parameters: IDataObject): string {
	const parts: string[] = [];
	for (const [name, value] of Object.entries(parameters)) {
		if (['resource', 'operation', 'event'].includes(name)) continue;
		const property = shownProperty(name, description.properties, parameters, description);
		if (property.type !== 'collection') {
			if (value !== false) parts.push(`**${property.displayName}** ${valueOf(property, value)}`);
			continue;
		}
		for (const [field, given] of Object.entries(value as IDataObject)) {
			const own = shownProperty(
				field,
				property.options as INodeProperties[],
				value as IDataObject,
				description,
				parameters,
			);
			parts.push(`**${own.displayName}** ${valueOf(own, given)}`);
		}
	}
	return parts.join(', ');
}
