// Ids that commands of this cache have made. Before an id was made, no row could contain it; since then every row of the marketplace
// that contains it was written through this cache. So the cache knows all rows whose key contains the id, and no query is needed to
// know that there are no others. When another process writes in the marketplace, the hash of the head changes and the cache is dropped,
// and with it these ids.

import type { Account } from '../books/accounts.ts';
import { ZERO } from '../books/money.ts';
import type { Need } from './command.ts';
import { lookupKey, type RowCache, rowKey } from './row-cache.ts';

/** Keys that consist of several fields put this character between them. An id never contains it. */
const SEPARATOR = ':';

const containsFresh = ({ freshIds }: RowCache, key: string): boolean => {
  if (freshIds.size === 0) return false;
  if (freshIds.has(key)) return true;
  return key.includes(SEPARATOR) && key.split(SEPARATOR).some((part) => freshIds.has(part));
};

/** Caches a row or lookup that is not cached, when no query is needed for it. False: the database has to be asked. */
export const cacheFreshRow = (cache: RowCache, need: Need): boolean => {
  if (!containsFresh(cache, 'by' in need ? need.value : need.id)) return false;
  const { table } = need;
  if ('by' in need) cache.loadedLookups.add(lookupKey(need));
  else {
    const { marketplaceId } = cache;
    cache.rows.set(rowKey(table, need.id), { table, marketplaceId, storedVersion: 0, row: undefined });
  }
  return true;
};

/** Likewise for an account: one that no posting has used has no row. */
export const cacheFreshAccount = (cache: RowCache, account: Account): boolean => {
  if (!containsFresh(cache, account.id)) return false;
  const { marketplaceId } = cache;
  cache.accounts.set(account.id, {
    marketplaceId,
    account,
    storedPostings: 0n,
    balance: ZERO,
    postings: 0n,
    touchedAt: null,
  });
  return true;
};
