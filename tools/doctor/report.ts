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

/** What was not looked at, in one line. */
function unseenIn({ seen }: Findings): string {
	const unseen = DEVIATION_NAMES.filter((name) => !(name in seen)).map((name): Deviation<unknown> => DEVIATIONS[name]);
	const byReading = unseen.filter((one) => one.seen === 'reading').length;
	return `Not looked at: ${byReading} do not show in this account, ${unseen.length - byReading} show to nobody who reads alone.\n`;
}

/** What was found out, for people, what matters most first. Holds nothing of the account but names of fields. */
export function reportOf(findings: Findings): string {
	const offers = (is: boolean) =>
		Object.entries(findings.offers)
			.filter(([, offered]) => offered === is)
			.map(([name]) => name);
	const deviations = findings.deviations().map(([name, value]) => {
		const { says, values }: Deviation<unknown> = DEVIATIONS[name];
		return `${says}: ${values?.[String(value)] ?? String(value ?? 'none')} (\`${name}\`)`;
	});
	return [
		section('It offers', offers(true)),
		section('It does not offer', offers(false)),
		section('The key has no right for', findings.lacksRights),
		section('Where it differs from the document', deviations),
		section('What the table has no words for', findings.unknown),
		`## The sandbox speaks the same way\n\n\`\`\`sh\n${sandboxLine(findings)}\n\`\`\`\n\n`,
		unseenIn(findings),
	].join('');
}
