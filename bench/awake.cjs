/**
 * Put into n8n's main process with --require: at each SIGUSR2 it writes to $BENCH_AWAKE how long the event loop was held up since
 * the one before, in milliseconds; of the time in which a node ran, or a trigger polled, also in the thread's CPU time, which tells
 * the same however busy the machine is.
 */
const { renameSync, writeFileSync } = require('fs');
const { monitorEventLoopDelay } = require('perf_hooks');

const NANOSECONDS = 1e6;
const MICROSECONDS = 1e3;
const TURN_MS = 2;
const STARTS_NODES = 'manualTrigger';
const path = process.env.BENCH_AWAKE;
const delay = monitorEventLoopDelay({ resolution: TURN_MS });
delay.enable();

/** Nodes that run now. */
let running = 0;
let longest = 0;
let last = 0;

function cpuTime() {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / MICROSECONDS;
}

/** Ends a stretch in which nobody else had a turn. */
function turn() {
	const now = cpuTime();
	if (running > 0) longest = Math.max(longest, now - last);
	last = now;
}

function watch(prototype, method, counts) {
	const run = prototype[method];
	prototype[method] = async function (...given) {
		if (!counts(given)) return await run.apply(this, given);
		turn();
		running++;
		try {
			return await run.apply(this, given);
		} finally {
			turn();
			running--;
		}
	};
}

/** n8n has loaded its engine long before it is asked for the first time. */
function begin() {
	const loaded = (file) =>
		Object.values(require.cache).find(({ id }) => id.endsWith(`/n8n-core/dist/execution-engine/${file}.js`));
	const isMeant = ([, data]) => !data.node.type.endsWith(STARTS_NODES);
	watch(loaded('workflow-execute').exports.WorkflowExecute.prototype, 'runNode', isMeant);
	watch(loaded('triggers-and-pollers').exports.TriggersAndPollers.prototype, 'runPollFunction', () => true);
	setInterval(turn, TURN_MS).unref();
}

let isWatching = false;
process.on('SIGUSR2', () => {
	if (!isWatching) begin();
	isWatching = true;
	turn();
	const held = { longest: delay.max / NANOSECONDS, p99: delay.percentile(99) / NANOSECONDS, cpu: longest };
	writeFileSync(`${path}.part`, JSON.stringify(held));
	delay.reset();
	longest = 0;
	renameSync(`${path}.part`, path);
});
