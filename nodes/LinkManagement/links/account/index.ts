/** What a run knows of its account: its links, its domains, and the records that have names. */
export { Account } from './account';
export { findDomains } from './domains';
export { LinkIndex, linkIn, merge } from './linkIndex';
export { namedIn } from './named';
export { type Creation, type Dropped, NewLinks, type Wish } from './newLinks';
export { findNames, nameOfChosen } from './names';
