// Sends statements that write or lock rows of several marketplaces: one statement for all of them on one PostgreSQL, and one for each
// where marketplaces are distributed over machines, so that one machine can carry it out. Nothing else chooses between the two.

import type pg from 'pg';
import { readAcross } from './answering.ts';
import { isPoolDistributed } from './distributed.ts';

/**
 * A condition for statements that are sent for all marketplaces, or for one: the parameter is null for all. The planner of a distributed
 * database sees the value, and sends the statement to one machine.
 */
export const ofMarketplace = (column: string, parameter: number): string =>
  `($${parameter}::text is null or ${column} = $${parameter})`;

/**
 * A time that is so much later than now, for an update by values of the row. A distributed database refuses `now() + interval` there: its
 * result depends on the time zone of the connection, and only times without a zone are the same on every machine.
 */
export const laterThanNow = (interval: string): string => `(now() at time zone 'UTC' + ${interval}) at time zone 'UTC'`;

type Placed = { readonly marketplaceId: string };

type Parts<Item, Row> = {
  readonly items: readonly Item[];
  /** `marketplaceId` is null when the items are of several marketplaces. */
  send(items: readonly Item[], marketplaceId: string | null): Promise<Row[]>;
  /** Without it, the first failure rejects when all others have ended. */
  onFailure?(error: unknown): void;
};

const resultOf = <Row>(result: PromiseSettledResult<Row[]>, onFailure?: (error: unknown) => void): Row[] => {
  if (result.status === 'fulfilled') return result.value;
  if (!onFailure) throw result.reason;
  onFailure(result.reason);
  return [];
};

/** Sends a statement about rows that the caller names. */
export const sendByMarketplace = async <Item extends Placed, Row>(
  pool: pg.Pool,
  { items, send, onFailure }: Parts<Item, Row>,
): Promise<Row[]> => {
  if (!(await isPoolDistributed(pool))) return send(items, null);
  const parts = [...Map.groupBy(items, ({ marketplaceId }) => marketplaceId)];
  // A machine that does not answer delays only its own marketplaces.
  const results = await Promise.allSettled(parts.map(([marketplaceId, part]) => send(part, marketplaceId)));
  return results.flatMap((result) => resultOf(result, onFailure));
};

type Due<Row> = {
  /** Only reads: a column `marketplaceId`, once for each row that is due, and at most `$1` of them. */
  readonly find: string;
  readonly values?: readonly unknown[];
  readonly limit: number;
  /** Writes or locks at most `limit` rows, of one marketplace or of all. */
  send(of: { readonly marketplaceId: string | null; readonly limit: number }): Promise<Row[]>;
};

/** Sends a statement about rows that it finds itself. Where marketplaces are distributed, a read finds those that have some. */
export const sendWhereDue = async <Row>(
  pool: pg.Pool,
  { find, values = [], limit, send }: Due<Row>,
): Promise<Row[]> => {
  if (!(await isPoolDistributed(pool))) return send({ marketplaceId: null, limit });
  return sendByMarketplace(pool, {
    items: await readAcross<Placed>(pool, { text: find, values: [limit, ...values] }),
    send: (items, marketplaceId) => send({ marketplaceId, limit: items.length }),
  });
};
