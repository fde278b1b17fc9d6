import { getEventListeners } from 'events';
import { whenStopped } from '../../nodes/LinkManagement/n8n/stop';

test('a signal has one listener, however many wait for it, and none when nobody does', () => {
	const { signal } = new AbortController();
	const ends = Array.from({ length: 5000 }, () => whenStopped(signal, () => undefined));
	expect(getEventListeners(signal, 'abort')).toHaveLength(1);
	for (const end of ends.slice(1)) end();
	expect(getEventListeners(signal, 'abort')).toHaveLength(1);
	ends[0]();
	ends[0]();
	expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('who waits again after nobody did is called, who has left is not', () => {
	const stop = new AbortController();
	const called: string[] = [];
	whenStopped(stop.signal, () => called.push('first'))();
	whenStopped(stop.signal, () => called.push('second'));
	const leave = whenStopped(stop.signal, () => called.push('third'));
	leave();
	stop.abort();
	expect(called).toEqual(['second']);
});
