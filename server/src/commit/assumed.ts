// Rows and accounts that a command expects not to exist, such as the row of a transaction that was just signed. The fast path does not
// load them: it assumes that they do not exist, and the group checks the assumption in its own transaction, under the lock of the head.
// A wrong assumption fails the whole group, which is then decided again from loaded rows. Nothing is answered before the check.

import type { Account } from '../books/accounts.ts';
import type { NamedStatement } from '../postgres/message-buffer.ts';
import { texts } from './columnar.ts';
import type { Need } from './command.ts';
import { addUnusedAccount, type CachedAccount, type CachedRow, lookupKey, type RowCache, rowKey } from './row-cache.ts';
import { absentSql } from './tables.ts';

/** What a group is about to write. */
type Written = { readonly rows: ReadonlySet<CachedRow>; readonly accounts: ReadonlySet<CachedAccount> };

export type Assumption = {
  /** The name of the prepared statement. */
  readonly name: string;
  /** The statement fails unless nothing is found under the values in the marketplace. Most groups do not need it. */
  text(): string;
  readonly marketplaceId: string;
  readonly value: string;
  /** The group adds the row or account itself, so the primary key is the check. */
  isAdded(written: Written): boolean;
  /** Called when the group does not contain the command: then no statement checks the assumption. */
  forget(): void;
};

/** Null: a cached row may belong to the lookup, so the database has to be asked. */
export const assumeNoRow = (cache: RowCache, need: Need): Assumption | null => {
  const { marketplaceId, generation: usedIn } = cache;
  const table = cache.tables.get(need.table)!;
  if ('by' in need) {
    const key = lookupKey(need);
    if (cache.lookups.has(key)) return null;
    cache.loadedLookups.set(key, usedIn);
    return {
      name: `no-${need.table}-by-${need.by}`,
      text: () => absentSql(table.sql, table.lookups.get(need.by)!),
      marketplaceId,
      value: need.value,
      isAdded: () => false,
      forget: () => void cache.loadedLookups.delete(key),
    };
  }
  const key = rowKey(need.table, need.id);
  const cached: CachedRow = { table: need.table, marketplaceId, storedVersion: 0, row: undefined, usedIn };
  cache.rows.set(key, cached);
  return {
    name: `no-${need.table}-by-id`,
    text: () => absentSql(table.sql),
    marketplaceId,
    value: need.id,
    isAdded: ({ rows }) => rows.has(cached),
    forget: () => void cache.rows.delete(key),
  };
};

export const assumeNoAccount = (cache: RowCache, account: Account): Assumption => {
  const cached = addUnusedAccount(cache, account);
  return {
    name: 'no-accounts-by-id',
    text: () => absentSql('accounts'),
    marketplaceId: cache.marketplaceId,
    value: account.id,
    isAdded: ({ accounts }) => accounts.has(cached),
    forget: () => void cache.accounts.delete(account.id),
  };
};

/** The statements that check the assumptions of a group. */
export const checkAssumptions = (assumptions: readonly Assumption[], written: Written): NamedStatement[] => {
  const open = Map.groupBy(
    assumptions.filter((assumption) => !assumption.isAdded(written)),
    ({ marketplaceId, name }) => `${marketplaceId} ${name}`,
  );
  return [...open.values()].map((of) => ({
    name: of[0]!.name,
    text: of[0]!.text(),
    values: [of[0]!.marketplaceId, texts(of.map(({ value }) => value))],
  }));
};
