const Sequencer = require('@jest/test-sequencer').default;

/** What takes longest: started last, one of these would run by itself while the other processes have nothing left to do. */
const SLOWEST = [
	'life/life',
	'anyService/anyService',
	'engine/triggerTime',
	'engine/faults',
	'engine/keyInAnswers',
	'engine/triggerMemory',
	'documentation/requests',
	'model/nights',
];

/** Jest starts first what was slowest the last time; where it has not run before, it goes by the size of the files alone. */
module.exports = class SlowestFirst extends Sequencer {
	sort(tests) {
		const sorted = super.sort(tests);
		const isSlow = ({ path }) => SLOWEST.some((name) => path.endsWith(`test/${name}.test.ts`));
		return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))];
	}
};
