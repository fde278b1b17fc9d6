import type { IDataObject, INodeProperties, PostReceiveAction } from 'n8n-workflow';

import { isRecord, wholeNumber } from '../service/envelope';
import { readParameter } from '../service/parameter';

export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Counts by name; the service says 0 when there are none, and gives the counts of QR codes as text (spec). */
function counts(value: unknown): IDataObject {
	if (!isRecord(value)) return {};
	return Object.fromEntries(Object.entries(value).map(([name, figure]) => [name, wholeNumber(figure, 0) ?? 0]));
}

/** One flat record of a single-record response: details and statistics together (spec, "Short link details", "QR code"). */
export function flatRecord({ id, details, data, ...others }: IDataObject): IDataObject {
	const statistics = isRecord(data) ? data : {};
	const record: IDataObject = { ...(id === undefined ? {} : { id }), ...others, ...(isRecord(details) ? details : {}), ...statistics };
	for (const name of ['topCountries', 'topReferrers', 'topBrowsers', 'topOs']) record[name] = counts(statistics[name]);
	return record;
}

/** Gives one flat record, unless the user wants the response as it was sent. */
export const simplified: PostReceiveAction = async function (items) {
	if (readParameter(this, 'simplify') === false) return items;
	return items.map(({ json }) => ({ json: flatRecord(json) }));
};
