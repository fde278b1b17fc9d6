import type { IDataObject } from 'n8n-workflow';

import { choiceField } from '../../fields/inputs';
import { quoted } from '../../fields/rules';
import { accountKey, inOrder } from '../../links/row';
import type { Row } from '../../run/row';
import { ValueError } from '../../service/errors';
import { readList } from '../../service/list';
import { asText, withNumbers } from '../../service/records';
import { sendChange } from '../../service/sendRequest';

export const ifNameExists = choiceField('If Name Exists', 'ifNameExists', {
	options: [
		{ name: 'Create', value: 'create', description: 'Create another QR code with that name' },
		{
			name: 'Return Existing QR Code',
			value: 'returnExisting',
			description: 'Return the QR code with exactly this name, so that a sheet creates each code once',
		},
	],
	default: 'returnExisting',
	description: 'The content of the existing QR code is not compared',
});

const nameKey = (name: unknown) => asText(name).normalize('NFC').trim();

type CodesByName = Map<string, IDataObject[]>;

/** The name whose QR code is taken where there is one; undefined where the row makes a code whatever there is. */
function nameOf({ request: { body, options } }: Row): string | undefined {
	return options.ifNameExists === 'returnExisting' && typeof body.name === 'string' ? nameKey(body.name) : undefined;
}

async function readCodes(row: Row): Promise<CodesByName> {
	const codes: CodesByName = new Map();
	for (const code of await readList(row, { path: '/api/qr', collection: 'qrs' }, Infinity)) {
		const name = nameKey(code.name ?? '');
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
	inOrder(asking, nameOf);
	for (const row of asking) {
		const name = nameOf(row) ?? '';
		const several = known.codes?.get(name) ?? [];
		if (several.length > 1) {
			const ids = several.map(({ id }) => asText(id)).join(', ');
			const problem = `The name ${quoted(name)} belongs to ${several.length} QR codes (IDs ${ids})`;
			row.refuse(new ValueError(problem, 'Rename or delete all but one of them, or give this row another name.'));
		}
	}
}

/** The QR code of a row: the one that has its name, if the row wants that one, or a new one, which later rows of that name take. */
export async function codeOf(row: Row): Promise<IDataObject> {
	const name = nameOf(row);
	const { codes } = knownCodes(row);
	const there = name === undefined ? undefined : codes?.get(name)?.[0];
	if (there !== undefined) return { ...there, existing: true };
	// After a lost answer, the name shows which code the row has made.
	const find = async () => (name === undefined ? undefined : (await readCodes(row)).get(name)?.[0]);
	const made = withNumbers(await sendChange(row, row.request, find));
	if (row.request.body.name !== undefined) made.name ??= row.request.body.name;
	if (name !== undefined) codes?.set(name, [made]);
	return made;
}
