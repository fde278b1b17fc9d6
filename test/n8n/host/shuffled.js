const { default: Sequencer } = require('@jest/test-sequencer');
const { createHash } = require('node:crypto');

/**
 * Runs the files of a suite in another order each time, so that none comes to rest on what another has left in the n8n that they
 * share. The order is printed as a seed; `TEST_ORDER=<seed>` brings it again.
 */
module.exports = class Shuffled extends Sequencer {
	sort(tests) {
		const seed = process.env.TEST_ORDER ?? String(Date.now());
		console.error(`Order of files: TEST_ORDER=${seed}`);
		const place = ({ path, context }) =>
			createHash('sha256')
				.update(`${seed} ${context.config.displayName?.name} ${path.split('/').pop()}`)
				.digest('hex');
		return [...tests].sort((one, other) => (place(one) < place(other) ? -1 : 1));
	}
};
