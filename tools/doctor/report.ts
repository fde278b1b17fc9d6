import { DEVIATION_NAMES, DEVIATIONS } from '../../test/sandbox/dialect';
import type { Deviation } from '../../test/sandbox/deviations/kinds';
import type { Findings } from './findings';

/** The line that makes the sandbox speak as the service does. */
export function sandboxLine(findings: Findings): string {
	const settings = findings.deviations().map(([name, value]) => ` --set ${name}=${String(value ?? 'none')}`);
	return `npm run sandbox --${settings.join('')}`;
}

function section(title: string, lines: string[]): string {
	return lines.length === 0 ? '' : `## ${title}\n\n${lines.map((line) => `- ${line}`).join('\n')}\n\n`;
}

/** What was found out, for people. Holds nothing of the account but names of fields. */
export function reportOf(findings: Findings, wrote: boolean): string {
	const offers = (is: boolean) =>
		Object.entries(findings.offers)
			.filter(([, offered]) => offered === is)
			.map(([name]) => name);
	const deviations = findings.deviations().map(([name, value]) => {
		const { says, values }: Deviation<unknown> = DEVIATIONS[name];
		return `${says}: ${values?.[String(value)] ?? String(value ?? 'none')} (\`${name}\`)`;
	});
	const unseen = DEVIATION_NAMES.filter((name) => !(name in findings.seen)).map((name) => {
		const { seen }: Deviation<unknown> = DEVIATIONS[name];
		const [, why] = seen.split('never: ');
		return `\`${name}\`: ${why ?? (seen === 'writing' && !wrote ? 'takes --write' : 'did not show in this account')}`;
	});
	return [
		section('It offers', offers(true)),
		section('It does not offer', offers(false)),
		section('Otherwise than the document says', deviations),
		section('What the table has no words for', findings.unknown),
		section('Not seen', unseen),
		`## The sandbox speaks the same way\n\n\`\`\`sh\n${sandboxLine(findings)}\n\`\`\`\n`,
	].join('');
}
