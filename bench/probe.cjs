/**
 * Put into n8n's main process with --require: at each SIGUSR2 it writes to the file $BENCH_PROBE how long the event loop was held up.
 * The file is put in its place when it is complete.
 */
const { renameSync, writeFileSync } = require('fs');
const { monitorEventLoopDelay } = require('perf_hooks');
const { isMainThread } = require('worker_threads');

const NANOSECONDS = 1e6;
const MICROSECONDS = 1e3;
const TURN_MS = 2;
const STARTS_NODES = 'manualTrigger';
const { BENCH_PROBE: path } = process.env;

function put(found) {
	writeFileSync(`${path}.part`, JSON.stringify(found));
	renameSync(`${path}.part`, path);
}

/**
 * How long the event loop was held up since the signal before, in milliseconds; of the time in which a node ran, or a trigger polled,
 * also in the thread's CPU time, which tells the same however busy the machine is.
 */
function awake() {
	const delay = monitorEventLoopDelay({ resolution: TURN_MS });
	delay.enable();
	/** Nodes that run now. */
	let running = 0;
	let longest = 0;
	let last = 0;
	let isWatching = false;

	/** Ends a stretch in which nobody else had a turn. */
	const turn = () => {
		const { user, system } = process.threadCpuUsage();
		const now = (user + system) / MICROSECONDS;
		if (running > 0) longest = Math.max(longest, now - last);
		last = now;
	};

	const watch = (prototype, method, counts) => {
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
	};

	/** n8n has loaded its engine long before it is asked for the first time. */
	const begin = () => {
		const loaded = (file) =>
			Object.values(require.cache).find(({ id }) => id.endsWith(`/n8n-core/dist/execution-engine/${file}.js`));
		const isMeant = ([, data]) => !data.node.type.endsWith(STARTS_NODES);
		watch(loaded('workflow-execute').exports.WorkflowExecute.prototype, 'runNode', isMeant);
		watch(loaded('triggers-and-pollers').exports.TriggersAndPollers.prototype, 'runPollFunction', () => true);
		setInterval(turn, TURN_MS).unref();
	};

	return () => {
		if (!isWatching) begin();
		isWatching = true;
		turn();
		put({ longest: delay.max / NANOSECONDS, cpu: longest });
		delay.reset();
		longest = 0;
	};
}

if (isMainThread && path !== undefined) process.on('SIGUSR2', awake());
