/** What runs make at the same time: one of them makes it, as long as any of them may not have read it. */
import { ApiError } from '../../nodes/LinkManagement/service/answer/errors';
import { BeingMade } from '../../nodes/LinkManagement/service/send/beingMade';

const madeIn = (by: string) => ({ by });

test('the second of two at the same time gets what the first makes', async () => {
	const made = new BeingMade<{ by: string }>();
	const work = await Promise.all([
		made.inTurn('https://example.com/', async () => await Promise.resolve('first'), madeIn),
		made.inTurn('https://example.com/', async (other) => await Promise.resolve(other?.by ?? 'second'), madeIn),
		made.inTurn('https://example.com/b', async (other) => await Promise.resolve(other?.by ?? 'other'), madeIn),
	]);
	expect(work).toEqual(['first', 'first', 'other']);
});

test('one that is refused is forgotten, and the next one makes it', async () => {
	const made = new BeingMade<{ by: string }>();
	const failing = made.inTurn('a', async () => await Promise.reject(new Error('refused')), madeIn);
	await expect(failing).rejects.toThrow('refused');
	const next = async (other?: { by: string }) => await Promise.resolve(other?.by ?? 'made');
	await expect(made.inTurn('a', next, madeIn)).resolves.toBe('made');
});

test('where nobody knows whether one was made, no other run makes it: it fails in the same way', async () => {
	const made = new BeingMade<{ by: string }>();
	const uncertain = new ApiError('uncertain', 'It may have been created', 'Look for it.');
	const make = jest.fn(async () => await Promise.reject(uncertain));
	for (let run = 0; run < 3; run++) await expect(made.inTurn('a', make, madeIn)).rejects.toBe(uncertain);
	expect(make).toHaveBeenCalledTimes(1);
});

test('a link in the making is known until the last run ends that began before', async () => {
	const made = new BeingMade<{ by: string }>();
	const [endOfOne, endOfOther] = [made.begin(), made.begin()];
	const turn = async () =>
		await made.inTurn(
			'a',
			async (other) => await Promise.resolve(other?.by ?? 'made'),
			() => ({ by: 'known' }),
		);
	expect(await turn()).toBe('made');
	endOfOne();
	expect(await turn()).toBe('known');
	endOfOther();
	expect(await turn()).toBe('made');
});
