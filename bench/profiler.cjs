/**
 * Loaded into n8n with --require. The first SIGUSR2 starts a CPU profile, the second one ends it and writes it to the file
 * that the environment variable BENCH_PROFILE names. The file is put in its place when it is complete.
 */
const { renameSync, writeFileSync } = require('fs');
const { Session } = require('inspector');
const { isMainThread } = require('worker_threads');

const SAMPLING_INTERVAL_US = 250;

if (isMainThread && process.env.BENCH_PROFILE !== undefined) {
	const file = process.env.BENCH_PROFILE;
	let session;
	process.on('SIGUSR2', () => {
		if (session === undefined) {
			session = new Session();
			session.connect();
			session.post('Profiler.enable');
			session.post('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL_US });
			session.post('Profiler.start', () => writeFileSync(`${file}.started`, ''));
			return;
		}
		const running = session;
		session = undefined;
		running.post('Profiler.stop', (error, result) => {
			running.disconnect();
			writeFileSync(`${file}.part`, error ? 'null' : JSON.stringify(result.profile));
			renameSync(`${file}.part`, file);
		});
	});
}
