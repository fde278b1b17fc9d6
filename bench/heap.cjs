/**
 * Loaded into n8n with --require, and --expose-gc beside it. At each SIGUSR2 it collects garbage, and writes how many bytes are
 * in use to the file that the environment variable BENCH_HEAP names. The file is put in its place when it is complete.
 */
const { renameSync, writeFileSync } = require('fs');
const { isMainThread } = require('worker_threads');

if (isMainThread && process.env.BENCH_HEAP !== undefined) {
	const file = process.env.BENCH_HEAP;
	process.on('SIGUSR2', () => {
		// The second time takes what only the first one's finalizers let go.
		global.gc();
		setImmediate(() => {
			global.gc();
			const { heapUsed, arrayBuffers } = process.memoryUsage();
			writeFileSync(`${file}.part`, String(heapUsed + arrayBuffers));
			renameSync(`${file}.part`, file);
		});
	});
}
