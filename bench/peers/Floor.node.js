/**
 * The Link Management node without its code: the same description, but every function is taken out, the service's address
 * is a constant, and the fields of a new link are sent by the engine's own routing. What it needs, the engine needs.
 */
const { LinkManagement } = require('../n8n-nodes-link-management/dist/nodes/LinkManagement/LinkManagement.node.js');

const isCode = (value) => typeof value === 'function';

/** A deep copy without functions and without the settings that only make sense together with them. */
function withoutCode(description) {
	const copy = JSON.parse(
		JSON.stringify(description, (_key, value) =>
			Array.isArray(value) ? value.filter((entry) => !isCode(entry)) : value,
		),
	);
	delete copy.requestOperations;
	delete copy.usableAsTool;
	delete copy.icon;
	copy.credentials = copy.credentials.map(({ testedBy, ...credential }) => credential);
	return copy;
}

const isForNewLinks = ({ displayOptions }) =>
	(displayOptions?.show?.operation ?? []).includes('create') &&
	(displayOptions?.show?.resource ?? ['link']).includes('link');

class Floor {
	constructor() {
		const description = withoutCode(new LinkManagement().description);
		description.name = 'floor';
		description.displayName = 'Floor';
		description.requestDefaults.baseURL = process.env.BENCH_SERVICE_URL;
		const send = (field) => {
			field.routing = { send: { type: 'body', property: field.name } };
		};
		for (const property of description.properties.filter(isForNewLinks)) {
			if (property.name === 'url') send(property);
			if (property.name === 'linkFields') property.options.filter(({ name }) => name === 'custom').forEach(send);
		}
		this.description = description;
	}
}

exports.Floor = Floor;
