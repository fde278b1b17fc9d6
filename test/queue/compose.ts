import { readFileSync } from 'fs';
import { join } from 'path';
import { parse } from 'yaml';
import { PROJECT } from '../n8n/host/installation';

/** The folder of the compose file that users start. */
const DEPLOY = join(PROJECT, 'examples', 'deploy');

const COMPOSE_FILE = join(DEPLOY, 'compose.yaml');

/** A service of the compose file, as far as the tests start it themselves. */
export interface ComposeService {
	command: string[];
	image: string;
	environment: Record<string, string>;
	healthcheck: { test: string[] };
	deploy?: { replicas: number };
}

interface ComposeFile {
	services: Record<string, ComposeService>;
}

/** `${NAME}`, `${NAME:-default}` and `${NAME:?message}`. */
const VARIABLE = /\$\{(\w+)(?:(:-|:\?)([^}]*))?\}/g;

/**
 * Puts values in for the variables of a compose file's text, as `docker compose` does with those of .env.
 *
 * @throws {Error} for a variable that has to be set and is not
 */
function substitute(text: string, variables: Record<string, string>): string {
	return text.replace(VARIABLE, (_all, name: string, operator?: string, rest: string = '') => {
		const value = variables[name] ?? '';
		if (value !== '') return value;
		if (operator === ':?') throw new Error(rest);
		return operator === ':-' ? rest : '';
	});
}

/** Applies `substitute` to every text below a value. */
function substituted(value: unknown, variables: Record<string, string>): unknown {
	if (typeof value === 'string') return substitute(value, variables);
	if (Array.isArray(value)) return value.map((entry) => substituted(entry, variables));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, substituted(entry, variables)]));
}

/**
 * The services of the compose file.
 *
 * @param variables what stands in .env
 */
export function composeServices(variables: Record<string, string>): Record<string, ComposeService> {
	const file = parse(readFileSync(COMPOSE_FILE, 'utf8'), { merge: true }) as ComposeFile;
	// What begins with x- is only there to be referred to.
	return (substituted({ services: file.services }, variables) as ComposeFile).services;
}
