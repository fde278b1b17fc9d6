/** What 100,000 known links cost in memory, measured in a process of its own with `--expose-gc`. Prints bytes, then milliseconds. */
import { LinkIndex } from '../nodes/LinkManagement/match/linkIndex';

const LINKS = Number(process.argv[2] ?? 100_000);
const PAGE_SIZE = 1_000;

const collectGarbage = (globalThis as { gc?: () => void }).gc;
if (collectGarbage === undefined) throw new Error('Start with --expose-gc.');

function page(first: number): string {
	const urls = Array.from({ length: PAGE_SIZE }, (_, at) => ({
		id: first + at,
		alias: `campaign-${first + at}`,
		shorturl: `https://links.example.com/campaign-${first + at}`,
		longurl: `https://www.example.com/shop/products/${first + at}/a-product-with-a-name?utm_source=newsletter&utm_medium=email&utm_campaign=spring`,
		clicks: at,
		title: `A product with a name of average length, number ${first + at}`,
		description: 'A note that somebody wrote about the link',
		date: '2025-01-02 03:04:05',
	}));
	return JSON.stringify({ urls });
}

function fill(): { index: LinkIndex; milliseconds: number } {
	const index = new LinkIndex();
	let milliseconds = 0;
	for (let first = 1; first <= LINKS; first += PAGE_SIZE) {
		const { urls } = JSON.parse(page(first)) as { urls: Array<Record<string, unknown>> };
		const began = performance.now();
		for (const record of urls) index.add(record);
		milliseconds += performance.now() - began;
	}
	return { index, milliseconds };
}

fill();
collectGarbage();
const used = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
const before = used();
const { index, milliseconds } = fill();
collectGarbage();
const bytes = used() - before;
if (index.size !== LINKS) throw new Error(`${index.size} of ${LINKS} links are known.`);
console.log(`${bytes} ${Math.round(milliseconds)}`);
