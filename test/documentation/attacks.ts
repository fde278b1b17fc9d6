import { readFileSync } from 'fs';
import { join } from 'path';

/** A row of docs/proof/adversarial.md. */
export interface Attack {
	/** What was tried. */
	tried: string;
	/** The test's file, below the project's folder. */
	file: string;
	/** What the test's name holds. */
	test: string;
}

/** The attacks that docs/proof/adversarial.md names, each with its test. @throws for a row that names none */
export function attacks(project: string): Attack[] {
	const rows = readFileSync(join(project, 'docs', 'proof', 'adversarial.md'), 'utf8').matchAll(
		/^\| (?!what was tried|---)(.+?) \| .+ \| (.+) \|$/gm,
	);
	return [...rows].map(([, tried, proof]) => {
		const [, file, test] = /^\[[\w.]+\]\(\.\.\/\.\.\/([\w./]+)\): (.+)$/.exec(proof) ?? [];
		if (file === undefined) throw new Error(`docs/proof/adversarial.md names no test for: ${tried}`);
		return { tried, file, test };
	});
}
