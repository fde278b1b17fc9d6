/** What is done with links, and what comes of it. */
export { findAndRead, findLinkIds, findLinksToRead, findTotals, readLink, totalsOf } from './chosenLinks';
export { planCreations } from './creations';
export { planDeletions, planUpdates } from './linkOperations';
export { planUpserts } from './sheet';
