import { setFlagsFromString } from 'v8';
import { runInNewContext } from 'vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What this process holds on to. */
export function usedBytes(): number {
	collectGarbage();
	collectGarbage();
	return process.memoryUsage().heapUsed;
}
