import type { INodeProperties } from 'n8n-workflow';

/** A collection as one operation has it. */
export interface PlacedCollection {
	resource: string;
	operation: string;
	collection: INodeProperties;
}

function entries(collection: INodeProperties): INodeProperties[] {
	return (collection.options ?? []) as INodeProperties[];
}

/**
 * Makes one property of collections that have the same name and belong to the same operation of several resources
 * (`additionalFields` of every create, say): each entry is shown where its own operation is chosen.
 *
 * The engine evaluates the expressions in a parameter once for each property that has the parameter's name, shown or not. With
 * five properties called `additionalFields`, creating 1,000 links from expressions took twice as long.
 *
 * @param placed collections of one name and operation, in the order of the resources
 */
function merged(placed: PlacedCollection[]): INodeProperties {
	const { operation, collection } = placed[0];
	return {
		...collection,
		displayOptions: { show: { resource: placed.map(({ resource }) => resource), operation: [operation] } },
		options: placed.flatMap(({ resource, collection: own }) =>
			entries(own).map((entry) => ({
				...entry,
				displayOptions: { ...entry.displayOptions, show: { '/resource': [resource], ...entry.displayOptions?.show } },
			})),
		),
	};
}

/** Merges collections by name and operation; see `merged`. */
export function mergedCollections(placed: PlacedCollection[]): INodeProperties[] {
	const groups = new Map<string, PlacedCollection[]>();
	for (const one of placed) {
		const key = `${one.collection.name}/${one.operation}`;
		groups.set(key, [...(groups.get(key) ?? []), one]);
	}
	return [...groups.values()].map(merged);
}
