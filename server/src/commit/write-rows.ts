// The changed rows of a group as SQL. Every update names the version it read and counts its rows, so that a change by another process
// fails the group.

import type pg from 'pg';
import { texts } from './columnar.ts';
import type { CachedRow } from './row-cache.ts';
import { insertSql, replaceSql, rowJson, type Table, type TableRegistry, updateSql } from './tables.ts';

type Rows = { readonly marketplaceId: string; readonly rows: readonly Record<string, unknown>[] };

const insert = (table: Table, { marketplaceId, rows }: Rows): pg.QueryConfig => ({
  name: `insert-${table.name}`,
  text: insertSql(table),
  values: [marketplaceId, JSON.stringify(rows)],
});

const replace = (table: Table, { marketplaceId, rows }: Rows): pg.QueryConfig => ({
  name: `replace-${table.name}`,
  text: replaceSql(table),
  values: [marketplaceId, JSON.stringify(rows), rows.length],
});

/** A distributed database does not accept `replaceSql`. Not prepared, for the same reason as loads: see load.ts. */
const update = (table: Table, { marketplaceId, rows }: Rows): pg.QueryConfig => ({
  text: updateSql(table),
  values: [marketplaceId, JSON.stringify(rows), texts(rows.map(({ id }) => id as string))],
});

type Changed = { readonly rows: readonly CachedRow[]; readonly isDistributed: boolean };

/** Of one marketplace in one table. */
const tableStatements = (table: Table, { rows, isDistributed }: Changed): pg.QueryConfig[] => {
  const { marketplaceId } = rows[0]!;
  const jsonOf = (of: readonly CachedRow[]): Rows => ({
    marketplaceId,
    rows: of.map(({ storedVersion, row }) => rowJson(table, { version: storedVersion + 1, row })),
  });
  const known = rows.filter(({ storedVersion }) => storedVersion > 0);
  const fresh = rows.filter(({ storedVersion }) => storedVersion === 0);
  const statements: pg.QueryConfig[] = [];
  // Updates first: a known row may give up a unique value that a new row takes.
  if (known.length > 0) statements.push((isDistributed ? update : replace)(table, jsonOf(known)));
  if (fresh.length > 0) statements.push(insert(table, jsonOf(fresh)));
  return statements;
};

type Writing = { readonly tables: TableRegistry; readonly isDistributed: boolean };

export const rowStatements = (
  changed: ReadonlySet<CachedRow>,
  { tables, isDistributed }: Writing,
): pg.QueryConfig[] => {
  if (changed.size === 0) return [];
  const byTable = Map.groupBy(changed, (cached) => cached.table);
  // Always in the order of the registry, so that two groups write their tables in the same order.
  return [...tables.values()].flatMap((table) => {
    const ofMarketplaces = Map.groupBy(byTable.get(table.name) ?? [], ({ marketplaceId }) => marketplaceId);
    return [...ofMarketplaces.values()].flatMap((rows) => tableStatements(table, { rows, isDistributed }));
  });
};
