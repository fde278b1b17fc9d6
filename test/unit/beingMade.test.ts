/** What runs make at the same time: one of them makes it, as long as any of them may not have read it. */
import { BeingMade } from '../../nodes/LinkManagement/service/send/beingMade';

const madeIn = (by: string) => ({ by });

test('the second of two at the same time gets what the first makes', async () => {
	const made = new BeingMade();
	const work = await Promise.all([
		made.inTurn('https://example.com/', async () => await Promise.resolve('first'), madeIn),
		made.inTurn(
			'https://example.com/',
			async (other) => await Promise.resolve(`${String(other?.by ?? 'second')}`),
			madeIn,
		),
		made.inTurn(
			'https://example.com/b',
			async (other) => await Promise.resolve(`${String(other?.by ?? 'other')}`),
			madeIn,
		),
	]);
	expect(work).toEqual(['first', 'first', 'other']);
});

test('the next one learns that one was tried and has failed: it may have been made', async () => {
	const made = new BeingMade();
	const failing = made.inTurn('a', async () => await Promise.reject(new Error('refused')), madeIn);
	await expect(failing).rejects.toThrow('refused');
	const next = async (other?: object) => await Promise.resolve(JSON.stringify(other));
	await expect(made.inTurn('a', next, madeIn)).resolves.toBe('{}');
});

test('a link in the making is known until the last run ends that began before', async () => {
	const made = new BeingMade();
	const [endOfOne, endOfOther] = [made.begin(), made.begin()];
	const turn = async () =>
		await made.inTurn(
			'a',
			async (other) => await Promise.resolve(String(other?.by ?? 'made')),
			() => ({ by: 'known' }),
		);
	expect(await turn()).toBe('made');
	endOfOne();
	expect(await turn()).toBe('known');
	endOfOther();
	expect(await turn()).toBe('made');
});
