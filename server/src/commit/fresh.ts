// Ids that commands of this cache have made. Before an id was made, no row could contain it; since then every row of the marketplace
// that contains it was written through this cache. So the cache knows all rows whose key contains the id, and no query is needed to
// know that there are no others. When another process writes in the marketplace, the hash of the head changes and the cache is dropped,
// and with it these ids.

import type { Account } from '../books/accounts.ts';
import type { Need } from './command.ts';
import { addUnusedAccount, containsFreshId, type RowCache, rowKey } from './row-cache.ts';

/** Whether no query is needed for a row or lookup that is not cached. A row gets an entry that says that it does not exist. */
export const isFreshRow = (cache: RowCache, need: Need): boolean => {
  if (!containsFreshId(cache, 'by' in need ? need.value : need.id)) return false;
  if ('by' in need) return true;
  const { table, id } = need;
  const { marketplaceId, generation: usedIn } = cache;
  cache.rows.set(rowKey(table, id), { table, marketplaceId, storedVersion: 0, row: undefined, usedIn });
  return true;
};

/** Likewise for an account. */
export const isFreshAccount = (cache: RowCache, account: Account): boolean => {
  if (!containsFreshId(cache, account.id)) return false;
  addUnusedAccount(cache, account);
  return true;
};
