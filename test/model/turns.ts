/** Runs what a scenario says, and holds what came of it against the oracle. */
import type { Account } from '../engine/account';
import { runCreate } from './createTurn';
import { runExecution } from './executionTurn';
import { runOnLinks } from './linkTurn';
import type { Scenario } from './scenario';
import { runSheet } from './sheetTurn';
import { World } from './world';

/** @returns what is wrong, in the words of a user who looks at the account */
export async function complaintsOf(account: Account, scenario: Scenario): Promise<string[]> {
	const world = new World(account, scenario);
	await world.begin();
	for (const turn of scenario.turns) {
		await world.look();
		await world.meddle();
		await account.sandbox.setFaults(scenario.faults);
		const before = world.links;
		if (turn.kind === 'sheet') await runSheet(world, turn, before);
		else if (turn.kind === 'create') await runCreate(world, turn);
		else if (turn.kind === 'execution') await runExecution(world, turn);
		else await runOnLinks(world, turn, before);
		await world.calm();
	}
	return world.complaints;
}
