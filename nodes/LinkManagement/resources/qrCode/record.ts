import type { IDataObject } from 'n8n-workflow';

/** QR codes carry their time in `date`, also where the details of one have it in `data`. */
export function dateInItsPlace({ data, ...code }: IDataObject): IDataObject {
	if (data === undefined) return code;
	return code.date === undefined && typeof data === 'string' ? { ...code, date: data } : { ...code, data };
}
