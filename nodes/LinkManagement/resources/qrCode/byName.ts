import type { IDataObject } from 'n8n-workflow';

import { choiceField } from '../../fields/inputs';
import { quoted } from '../../fields/rules';
import { accountKey } from '../../links/row';
import type { Row } from '../../run/row';
import { ValueError } from '../../service/errors';
import { readList } from '../../service/list';
import { asText } from '../../service/records';

export const ifNameExists = choiceField('If Name Exists', 'ifNameExists', {
	options: [
		{ name: 'Create', value: 'create', description: 'Make one more QR code of that name' },
		{
			name: 'Return Existing QR Code',
			value: 'returnExisting',
			description: 'Return the QR code with exactly this name, so that a sheet creates each code once',
		},
	],
	default: 'returnExisting',
	description: 'What to do when a QR code has this name already. The content of the code found is not compared.',
});

type CodesByName = Map<string, IDataObject[]>;

/** The name whose QR code is taken where there is one; undefined where the row makes a code whatever there is. */
function nameOf({ request: { body, options } }: Row): string | undefined {
	return options.ifNameExists === 'returnExisting' && typeof body.name === 'string' ? body.name.trim() : undefined;
}

async function readCodes(row: Row): Promise<CodesByName> {
	const codes: CodesByName = new Map();
	for (const code of await readList(row, { path: '/api/qr', collection: 'qrs' }, Infinity)) {
		const name = asText(code.name ?? '').trim();
		codes.set(name, [...(codes.get(name) ?? []), code]);
	}
	return codes;
}

/** The QR codes of an account as this run knows them. */
function knownCodes(row: Row): { codes?: CodesByName } {
	return row.shared(`QR codes of ${accountKey(row)}`, () => ({}));
}

/** Reads the QR codes once for all rows that take one by its name. Rows of one name are done one after another. */
export async function findCodes(rows: Row[]): Promise<void> {
	const asking = rows.filter((row) => nameOf(row) !== undefined);
	if (asking.length === 0) return;
	const known = knownCodes(asking[0]);
	known.codes ??= await readCodes(asking[0]).catch((error: unknown) => {
		for (const row of asking) row.refuse(error);
		return undefined;
	});
	const latest = new Map<string, Row>();
	for (const row of asking) {
		const name = nameOf(row) ?? '';
		const several = known.codes?.get(name) ?? [];
		if (several.length > 1) {
			const ids = several.map(({ id }) => asText(id)).join(', ');
			const problem = `The name ${quoted(name)} belongs to ${several.length} QR codes (IDs ${ids})`;
			row.refuse(new ValueError(problem, 'Rename or delete all but one of them, or give this row another name.'));
		}
		row.waitFor(latest.get(name));
		latest.set(name, row);
	}
}

/** The QR code that the row takes in place of a new one. */
export function codeOfName(row: Row): IDataObject | undefined {
	const name = nameOf(row);
	return name === undefined ? undefined : knownCodes(row).codes?.get(name)?.[0];
}

/** After a lost answer: the code that the row has made all the same, where its name tells. */
export async function newCodeOfName(row: Row): Promise<IDataObject | undefined> {
	const name = nameOf(row);
	return name === undefined ? undefined : (await readCodes(row)).get(name)?.[0];
}

/** Later rows of that name take the code that was made. */
export function keepCode(row: Row, code: IDataObject): IDataObject {
	const name = nameOf(row);
	if (name !== undefined) knownCodes(row).codes?.set(name, [code]);
	return code;
}
