/** What runs make at the same time: one of them makes it, as long as any of them may not have read it. */
import { BeingMade } from '../../nodes/LinkManagement/service/send/beingMade';

const madeIn = (made: string) => made;

test('the second of two at the same time gets what the first makes', async () => {
	const made = new BeingMade<string>();
	const work = await Promise.all([
		made.inTurn('https://example.com/', async () => await Promise.resolve('first'), madeIn),
		made.inTurn('https://example.com/', async (other) => await Promise.resolve(other ?? 'second'), madeIn),
		made.inTurn('https://example.com/b', async (other) => await Promise.resolve(other ?? 'other'), madeIn),
	]);
	expect(work).toEqual(['first', 'first', 'other']);
});

test('one that fails is forgotten, and the next one makes it', async () => {
	const made = new BeingMade<string>();
	const failing = made.inTurn('a', async () => await Promise.reject(new Error('refused')), madeIn);
	await expect(failing).rejects.toThrow('refused');
	await expect(made.inTurn('a', async (other) => await Promise.resolve(other ?? 'made'), madeIn)).resolves.toBe('made');
});

test('a link in the making is known until the last run ends that began before', async () => {
	const made = new BeingMade<string>();
	const [endOfOne, endOfOther] = [made.begin(), made.begin()];
	const turn = async () =>
		await made.inTurn(
			'a',
			async (other) => await Promise.resolve(other ?? 'made'),
			() => 'known',
		);
	expect(await turn()).toBe('made');
	endOfOne();
	expect(await turn()).toBe('known');
	endOfOther();
	expect(await turn()).toBe('made');
});
