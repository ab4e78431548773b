// Rows by a list of keys, in a form whose plan is right on an empty table and on an analysed one, and on a connection without sorts also on one
// that was never analysed. See docs/decisions/0031-lookups-by-range.md.

type Keyed = {
  /** The expression that has an index, after the marketplace. Columns have the prefix `t`. */
  readonly key: string;
  readonly where?: string | undefined;
  /** Of the rows that are found. Without it, `t`. */
  readonly alias?: string;
  /** A key may have several rows. Without it, one is enough. */
  readonly several?: true;
};

/**
 * The rows of a table for each key of the array `$2`, in the marketplace `$1`. The key itself is `k.key`.
 *
 * Each key is looked up by itself: for `= any($2)` PostgreSQL has to guess how many rows a marketplace has, and before the first statistics it
 * reads all of them (343 instead of 16 µs a row, with 5,000 users and 30 ids). And each is a range of one value in the order of the key: for
 * an equation on an empty table, every index that begins with the marketplace looks equally good, and the plan would stay. Only the index
 * of the key has its order.
 */
export const byKeys = (table: string, { key, where, alias = 't', several }: Keyed): string =>
  `unnest($2::text[]) k (key) cross join lateral (
    select * from ${table} t where t.marketplace_id = $1 and ${key} >= k.key and ${key} <= k.key ${where ? `and ${where}` : ''}
    order by ${key} ${several ? '' : 'limit 1'}) ${alias}`;

export const byIds = (table: string, alias = 't'): string => byKeys(table, { key: 't.id', alias });
