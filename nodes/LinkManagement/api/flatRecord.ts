import type { IDataObject } from 'n8n-workflow';

import { isRecord, withNumbers, wholeNumber } from './records';

/** Counts by name; the service says 0 when there are none, and gives the counts of QR codes as text (spec). */
function counts(value: unknown): IDataObject {
	if (!isRecord(value)) return {};
	return Object.fromEntries(Object.entries(value).map(([name, figure]) => [name, wholeNumber(figure, 0) ?? 0]));
}

/** QR codes carry their time in `date`, also where the details of one have it in `data` (field notes, "Resources"). */
export function dateInItsPlace({ data, ...code }: IDataObject): IDataObject {
	if (data === undefined) return code;
	return code.date === undefined && typeof data === 'string' ? { ...code, date: data } : { ...code, data };
}

/** One flat record of a single-record response: details and statistics together (spec, "Short link details", "QR code"). */
export function flatRecord({ id, details, data, ...others }: IDataObject): IDataObject {
	const statistics = isRecord(data) ? data : {};
	const record: IDataObject = {
		...(id === undefined ? {} : { id }),
		...others,
		...(isRecord(details) ? dateInItsPlace(details) : {}),
		...statistics,
	};
	for (const name of ['topCountries', 'topReferrers', 'topBrowsers', 'topOs']) record[name] = counts(statistics[name]);
	if (isRecord(statistics.socialCount)) record.socialCount = counts(statistics.socialCount);
	return withNumbers(record);
}
