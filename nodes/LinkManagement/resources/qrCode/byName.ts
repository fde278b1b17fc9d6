import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { choiceField } from '../../fields/inputs';
import { quoted } from '../../fields/parsers';
import { groupedBy, type Unit } from '../../links/linkRow';
import { labelsOf } from '../../links/plan';
import { yielding } from '../../n8n/slices';
import type { Row } from '../../run/row';
import { requestOf } from '../../run/sendRequest';
import { LISTS } from '../../service/endpoints';
import { ValueError } from '../../service/answer/errors';
import { readList } from '../../service/lists/listReader';
import { asText, withNumbers } from '../../service/records';
import { sendChange } from '../../service/send/sendChange';

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

const codeKey = (name: unknown) => asText(name).normalize('NFC').trim();

/** The name of the QR code that a row takes if it exists; undefined if the row always creates one. */
function wantedName({ request: { body, options } }: Row): string | undefined {
	return options.ifNameExists === 'returnExisting' ? codeKey(body.name ?? '') : undefined;
}

async function readCodes(row: Row): Promise<Map<string, IDataObject[]>> {
	const codes = new Map<string, IDataObject[]>();
	for await (const code of yielding(await readList(row.account.client, LISTS.qrCodes, Infinity))) {
		const name = codeKey(code.name ?? '');
		const same = codes.get(name);
		if (same === undefined) codes.set(name, [code]);
		else same.push(code);
	}
	return codes;
}

/** Creates the QR code of a row. After a lost answer, the name shows which one the row has made. */
async function createCode(row: Row, name?: string): Promise<IDataObject> {
	const find = async () => (name === undefined ? undefined : (await readCodes(row)).get(name)?.[0]);
	const made = withNumbers(await sendChange(row.account.client, requestOf(row), find));
	if (row.request.body.name !== undefined) made.name ??= row.request.body.name;
	return made;
}

/** @throws ValueError if a name means several codes, or its rows want different ones */
function checkOne(name: string, rows: readonly Row[], there: readonly IDataObject[]): void {
	if (name === '')
		throw new ValueError(
			'Name is empty',
			'A QR code is found by its name. Enter one, or set If Name Exists to Create.',
		);
	if (there.length > 1) {
		const problem = `The name ${quoted(name)} belongs to ${there.length} QR codes (IDs ${there.map(({ id }) => asText(id)).join(', ')})`;
		throw new ValueError(problem, 'Rename or delete all but one of them, or give this row another name.');
	}
	const contents = new Set(rows.map(({ request: { body } }) => JSON.stringify([body.type, body.data])));
	if (there.length === 1 || contents.size === 1) return;
	throw new ValueError(
		`The name ${quoted(name)} stands for different contents in ${labelsOf(rows)}`,
		'None of these rows is done. Give each QR code a name of its own.',
	);
}

/** Plans creations: rows of one name have one code, the one that is there, or one that the first of them makes. */
export async function planCodes(rows: Row[]): Promise<Array<Unit<Row>>> {
	const asking = rows.filter((row) => (wantedName(row) ?? '') !== '');
	const codes =
		asking.length === 0
			? undefined
			: await readCodes(asking[0]).catch((error: unknown) => {
					for (const row of asking) row.refuse(error);
					return undefined;
				});
	const open = rows.filter(({ isRefused }) => !isRefused);
	return groupedBy(open, wantedName).flatMap((some): Array<Unit<Row>> => {
		const name = wantedName(some[0]);
		const there = (name === undefined ? undefined : codes?.get(name)) ?? [];
		try {
			if (name !== undefined) checkOne(name, some, there);
		} catch (error) {
			for (const row of some) row.refuse(error);
			return [];
		}
		return [{ rows: some, perform: async () => await makeCode(some, name, there[0]) }];
	});
}

/** Gives rows one code. @param there the code that exists */
async function makeCode(
	rows: readonly Row[],
	name: string | undefined,
	there: IDataObject | undefined,
): Promise<INodeExecutionData[][]> {
	const code = there ?? (await createCode(rows[0], name));
	return rows.map((_row, at) => [{ json: there === undefined && at === 0 ? code : { ...code, existing: true } }]);
}
