/** Kills n8n many times in each of three modes while clicks and scans go on, and prints what was lost and what was repeated. */
import { killRepeatedly, type CursorMode, type Survival, type Tally } from '../../test/n8n/killing';

const kills = Number(process.argv[2] ?? 12);
const seed = Number(process.argv[3] ?? 1);

const TITLES: Record<CursorMode, string> = {
	durable: 'Durable cursors',
	scheduled: "n8n's scheduler, without durable cursors",
	plain: "n8n's default",
};

function table(mode: CursorMode, { failedStarts, executions, seconds, scans, clicks, created }: Survival): string {
	const row = (name: string, { happened, reported, lost, repeated }: Tally) =>
		`| ${name} | ${happened} | ${reported} | ${lost} | ${repeated} |\n`;
	return (
		`\n### ${TITLES[mode]}: killed ${kills} times in ${Math.round(seconds)} s, ` +
		`${failedStarts} failed starts, ${executions} executions\n\n` +
		`| | happened | reported | lost | repeated |\n|---|---:|---:|---:|---:|\n${row('scans', scans)}${row('clicks', clicks)}` +
		row('new QR codes', created)
	);
}

async function main(): Promise<void> {
	let failed = false;
	for (const mode of ['durable', 'scheduled', 'plain'] as const) {
		const survival = await killRepeatedly(mode, kills, seed, (line) => process.stderr.write(`${line}\n`));
		process.stdout.write(table(mode, survival));
		const { scans, clicks, created } = survival;
		const isWrong = ({ happened, lost, repeated }: Tally) => happened === 0 || lost + repeated > 0;
		failed ||= [scans, clicks].some(({ behind }) => behind > 0);
		failed ||= mode === 'durable' && [scans, clicks, created].some(isWrong);
	}
	if (failed) {
		process.stderr.write('With durable cursors something was lost or repeated, or a trigger has not caught up.\n');
		process.exitCode = 1;
	}
}

void main();
