const { default: Sequencer } = require('@jest/test-sequencer');
const { createHash } = require('node:crypto');

/**
 * Runs the files of a suite in an order that SEED decides (../../seed.ts), so that none comes to rest on what another has left in the
 * n8n that they share.
 */
module.exports = class Shuffled extends Sequencer {
	sort(tests) {
		const seed = process.env.SEED ?? '1';
		const place = ({ path, context }) =>
			createHash('sha256')
				.update(`${seed} ${context.config.displayName?.name} ${path.split('/').pop()}`)
				.digest('hex');
		return [...tests].sort((one, other) => (place(one) < place(other) ? -1 : 1));
	}
};
