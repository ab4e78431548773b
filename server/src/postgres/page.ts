// Pages of a list, newest first. Ids sort by time, so "before this id" is a stable cursor.

import type pg from 'pg';

export type PageAsk = { readonly marketplaceId: string; readonly limit: number; readonly cursor: string | null };

export type PageOf<Row> = { readonly rows: Row[]; readonly nextCursor: string | null };

/** Conditions of a query, each with its own parameters; those that were not asked for are left out. */
export const conditions = (marketplaceId: string, asked: readonly (readonly [sql: string, value: unknown])[]) => {
  const values: unknown[] = [marketplaceId];
  const texts = ['t.marketplace_id = $1'];
  for (const [sql, value] of asked) {
    if (value === undefined || value === null) continue;
    values.push(value);
    texts.push(sql.replaceAll('?', `$${values.length}`));
  }
  return { where: texts.join(' and '), values };
};

/** One row more than asked for tells whether there is another page. */
export const readPage = async <Row extends pg.QueryResultRow & { id: string }>(
  pool: pg.Pool,
  query: { select: string; where: string; values: unknown[]; limit: number },
): Promise<PageOf<Row>> => {
  const { rows } = await pool.query<Row>(
    `${query.select} where ${query.where} order by t.id desc limit ${query.limit + 1}`,
    query.values,
  );
  const page = rows.slice(0, query.limit);
  return { rows: page, nextCursor: rows.length > query.limit ? (page.at(-1)?.id ?? null) : null };
};
