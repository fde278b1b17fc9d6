/**
 * Loaded into n8n with --require. The harness holds the other end of n8n's standard input; when the harness is gone,
 * for whatever reason (also SIGKILL), that pipe closes, and n8n's whole process group ends with it.
 *
 * Node loads this into worker threads and forked processes too, whose standard input is none of the harness: the
 * variable, gone after the first use, tells them apart.
 */
const { isMainThread } = require('worker_threads');

if (isMainThread && process.env.DIE_WITH_PARENT === 'true') {
	delete process.env.DIE_WITH_PARENT;
	process.stdin.on('error', () => {});
	process.stdin.on('close', () => process.kill(0, 'SIGKILL'));
	process.stdin.resume();
	process.stdin.unref();
}
