/** What the tests draw is drawn from this: the same in each run, unless SEED says otherwise, as `npm run test:nightly` does. */
export const SEED = Number(process.env.SEED ?? 1);
