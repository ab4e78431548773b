// Keeps the connections of a pool from waiting for a machine of a distributed database that does not answer: statements about its
// marketplaces are refused before they are sent, and those that wait for it already are ended with their connections.

import pg from 'pg';
import { within } from '../base/wait.ts';
import { expectLoss } from './answering.ts';
import type { LostNodes } from './lost-nodes.ts';

/** A statement that is still under way so long after a machine was lost waits for it. A longer one of a job is repeated by the job. */
const STUCK_MS = 1_000;
/** While a machine is lost, a statement about all marketplaces may wait for it. Its caller, such as a job, does not wait longer. */
const LIMIT_MS = 5_000;
/** Every id of a marketplace has this form. */
const MARKETPLACE = /^mkt_/;

type Wire = { readonly connection: { readonly stream: { destroy(): void } } };

/** Without a farewell: the database may not read it. Statements that are under way fail. */
export const breakOff = (client: pg.ClientBase): void => (client as unknown as Wire).connection.stream.destroy();

const lossOf = (marketplaceId: string): pg.DatabaseError =>
  Object.assign(new pg.DatabaseError(`the machine of ${marketplaceId} does not answer`, 0, 'error'), {
    severity: 'ERROR',
    code: '08006',
  });

const namedIn = (given: readonly unknown[]): string[] => {
  const [first, second] = given;
  const values = typeof first === 'object' && first !== null ? (first as { values?: unknown }).values : second;
  const all: readonly unknown[] = Array.isArray(values) ? values : [];
  return all.filter((value): value is string => typeof value === 'string' && MARKETPLACE.test(value));
};

/** Only the form of `query` that returns a promise is guarded; nothing here uses the other. */
export const guardPool = (pool: pg.Pool, lostNodes: Pick<LostNodes, 'isAny' | 'among' | 'onLost'>): void => {
  const busy = new Map<pg.PoolClient, number>();
  pool.on('acquire', (client) => void busy.set(client, performance.now()));
  pool.on('release', (_, client) => void busy.delete(client));
  pool.on('remove', (client) => void busy.delete(client));
  lostNodes.onLost(() => {
    expectLoss(pool);
    const sent = [...busy];
    // A statement that was sent a moment ago gets as long as the others had.
    setTimeout(() => {
      for (const [client, since] of sent) if (busy.get(client) === since) breakOff(client);
    }, STUCK_MS).unref();
  });
  const send = pool.query.bind(pool) as (...given: unknown[]) => Promise<pg.QueryResult>;
  const guarded = async (...given: unknown[]): Promise<pg.QueryResult> => {
    if (!lostNodes.isAny()) return send(...given);
    const [lost] = await lostNodes.among(namedIn(given));
    if (lost !== undefined) throw lossOf(lost);
    const late = (): never => {
      throw lossOf('one of the marketplaces');
    };
    return within(send(...given), { ms: LIMIT_MS, late });
  };
  Object.assign(pool, { query: guarded });
};
