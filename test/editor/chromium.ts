import { existsSync } from 'fs';
import { type Browser, chromium, selectors } from 'playwright-core';

/** Where Chromium lies when CHROMIUM_PATH doesn't say. */
const USUAL_PATHS = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Starts a headless Chromium that talks to nobody but the pages it is told to open.
 *
 * @throws {Error} when there is no Chromium on the machine
 */
export async function startChromium(): Promise<Browser> {
	const executablePath = process.env.CHROMIUM_PATH ?? USUAL_PATHS.find((path) => existsSync(path));
	if (executablePath === undefined) {
		throw new Error(
			'The editor tests need Chromium: install it (on Debian: apt-get install chromium), or set CHROMIUM_PATH.',
		);
	}
	// n8n's editor marks its parts with this attribute.
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launch({
		executablePath,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}
