import type { IDataObject } from 'n8n-workflow';

import { choiceField } from '../../fields/inputs';
import { quoted } from '../../fields/parsers';
import { inOrder } from '../../links/linkRow';
import { yielding } from '../../n8n/slices';
import type { ConnectedRow } from '../../run/row';
import { ValueError } from '../../service/errors';
import { readList } from '../../service/listReader';
import { asText, withNumbers } from '../../service/records';
import { sendChange } from '../../service/serviceClient';
import { LISTS } from '../../service/endpoints';

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

/** The name of the QR code that a row takes if it exists; undefined if the row always creates one. */
function nameOf({ request: { body, options } }: ConnectedRow): string | undefined {
	return options.ifNameExists === 'returnExisting' && typeof body.name === 'string' ? nameKey(body.name) : undefined;
}

/** The QR codes of an account, as this run knows them; and names whose creation failed, but may have been done all the same. */
interface KnownCodes {
	byName?: CodesByName;
	readonly doubtful: Set<string>;
}

async function readCodes(row: ConnectedRow): Promise<CodesByName> {
	const codes: CodesByName = new Map();
	for await (const code of yielding(await readList(row.reader, LISTS.qrCodes, Infinity))) {
		const name = nameKey(code.name ?? '');
		const same = codes.get(name);
		if (same === undefined) codes.set(name, [code]);
		else same.push(code);
	}
	return codes;
}

function knownCodes(row: ConnectedRow): KnownCodes {
	return row.sharedInRun('QR codes', () => ({ doubtful: new Set<string>() }));
}

/** Reads the QR codes once for all rows that take one by its name. Rows of one name are done one after another. */
export async function findCodes(rows: ConnectedRow[]): Promise<void> {
	const asking = rows.filter((row) => nameOf(row) !== undefined);
	if (asking.length === 0) return;
	const known = knownCodes(asking[0]);
	known.byName ??= await readCodes(asking[0]).catch((error: unknown) => {
		for (const row of asking) row.refuse(error);
		return undefined;
	});
	inOrder(asking, nameOf);
	for (const row of asking) {
		const name = nameOf(row) ?? '';
		const several = known.byName?.get(name) ?? [];
		if (several.length > 1) {
			const ids = several.map(({ id }) => asText(id)).join(', ');
			const problem = `The name ${quoted(name)} belongs to ${several.length} QR codes (IDs ${ids})`;
			row.refuse(new ValueError(problem, 'Rename or delete all but one of them, or give this row another name.'));
		}
	}
}

/** Creates the QR code of a row. After a lost answer, the name shows which one the row has made. */
async function createCode(row: ConnectedRow, name?: string): Promise<IDataObject> {
	const find = async () => (name === undefined ? undefined : (await readCodes(row)).get(name)?.[0]);
	const made = withNumbers(await sendChange(row, row.request, find));
	if (row.request.body.name !== undefined) made.name ??= row.request.body.name;
	return made;
}

/** The QR code of a row: the one with its name, if the row asks for that, or a new one, which later rows of that name take. */
export async function codeOf(row: ConnectedRow): Promise<IDataObject> {
	const name = nameOf(row);
	if (name === undefined) return await createCode(row);
	const known = knownCodes(row);
	if (known.doubtful.delete(name)) {
		// Added to what is known, not in its place: other rows have taken their codes from it.
		for (const [one, codes] of await readCodes(row)) known.byName?.set(one, codes);
	}
	const there = known.byName?.get(name)?.[0];
	if (there !== undefined) return { ...there, existing: true };
	known.doubtful.add(name);
	const made = await createCode(row, name);
	known.doubtful.delete(name);
	known.byName?.set(name, [made]);
	return made;
}
