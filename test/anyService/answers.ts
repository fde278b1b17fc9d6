/** Odd answers, each in the place of one answer of a sound service: by the service, by what stands in front of it, or by the line. */
import type { Fault, FaultPlace } from '../sandbox';

const failed = '{"error":1,"message":"Something went wrong"}';
const page = '<!DOCTYPE html><html><head><title>Oops</title></head><body><h1>Oops</h1></body></html>';
const figures = { result: 1, perpage: 100, currentpage: 1, nextpage: null, maxpage: 1 };
/** A list that no job reads. */
const otherList = JSON.stringify({ error: '0', data: { ...figures, plans: [{ id: 7, name: 'Large' }] } });
const emptyList = JSON.stringify({
	error: '0',
	data: {
		...{ ...figures, result: 0 },
		...Object.fromEntries(
			['urls', 'qrs', 'campaigns', 'channels', 'domains', 'pixels', 'items'].map((name) => [name, []]),
		),
	},
});

/** Texts, each as an answer with a status. */
const TEXTS: Array<[name: string, status: number, text: string]> = [
	...[200, 400, 401, 403, 409, 500].map((status): [string, number, string] => ['an error envelope', status, failed]),
	["a gateway's JSON", 404, '{"message":"no Route matched with those values"}'],
	["a gateway's JSON", 404, '{"status":404,"error":"Not Found","path":"/api"}'],
	["a gateway's JSON", 502, '{"message":"An invalid response was received from the upstream server"}'],
	["a gateway's JSON", 503, '{"error":"upstream connect error"}'],
	...[200, 404, 502].map((status): [string, number, string] => ['a web page', status, page]),
	['nothing', 200, ''],
	['half of an answer', 200, '{"error":0,"da'],
	['an object without anything', 200, '{}'],
	['an envelope without data', 200, '{"data":null}'],
	['an array without entries', 200, '[]'],
	['null', 200, 'null'],
	['an empty list', 200, emptyList],
	['another list', 200, otherList],
];

/** Each text, with its status. */
export const oddTexts = () => TEXTS.map(([, status, text]): [status: number, text: string] => [status, text]);

/** More than a request waits for (ms). */
const TOO_LONG = 70_000;
const TOO_LATE = 'an answer that comes too late';

/** What was asked for too late is done by the service all the same; and a key that was refused is tried again after a minute. */
export async function untilDone(name: string): Promise<void> {
	if (name === TOO_LATE || /\(40[13]\)/.test(name)) await new Promise((resolve) => setTimeout(resolve, TOO_LONG));
}

/** The faults that make an odd answer of the answer at a place. */
type Odd = (place: FaultPlace) => Fault[];

export const ODD_ANSWERS: Array<[name: string, odd: Odd]> = [
	...[false, true].flatMap((workDone) =>
		// HTTP 503 says that nothing was done.
		TEXTS.filter(([, status]) => !(workDone && status === 503)).map(([name, status, text]): [string, Odd] => [
			`${name} (${status}), ${workDone ? 'after' : 'before'} the work`,
			(place) => [{ kind: 'answer', status, text, workDone, ...place }],
		]),
	),
	['a page without its records', (place) => [{ kind: 'emptied', ...place }]],
	['the first page', (place) => [{ kind: 'firstPage', ...place }]],
	['a broken line before the work', (place) => [{ kind: 'dropBefore', ...place }]],
	['a broken line after the work', (place) => [{ kind: 'dropAfter', ...place }]],
	['an answer that is cut off', (place) => [{ kind: 'truncatedJson', ...place }]],
	['a line that breaks within the answer', (place) => [{ kind: 'truncatedJson', broken: true, ...place }]],
	[TOO_LATE, (place) => [{ kind: 'latency', ms: TOO_LONG, ...place }]],
];
