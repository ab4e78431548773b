// Manipulates the connection of a lane: inspects each statement, replaces it, or closes the socket at a chosen moment. The
// database at the other end is always real.

import type pg from 'pg';
import type { Connection } from '../../server/src/postgres/connection.ts';
import { Preparation, StatementBatch } from '../../server/src/postgres/statement-batch.ts';
import { aside } from '../../tools/test-database/aside.ts';
import { until } from '../../tools/until.ts';

type Statement = string | { name?: string; text: string } | StatementBatch | Preparation;
type Send = (statement?: Statement) => Promise<unknown>;

/** The names of all its statements for a batch. */
const labelOf = (statement: Statement): string => {
  if (typeof statement === 'string') return statement;
  return statement instanceof StatementBatch ? statement.text : (statement.name ?? statement.text);
};

type By = (label: string, send: Send, first: (work: () => Promise<unknown>) => Promise<void>) => Promise<unknown>;

/**
 * `by` gets the label of every statement (its name, or its text) and may send it, another one, or none. While its `first`
 * work runs, all later statements wait, so that the order of statements stays as the lane sent them.
 */
export const interceptStatements = (client: pg.Client, by: By): void => {
  const query = client.query.bind(client) as unknown as (...given: unknown[]) => Promise<unknown>;
  let gate: Promise<void> | null = null;
  const first = (work: () => Promise<unknown>): Promise<void> => {
    const opened: Promise<void> = work().then(() => {
      if (gate === opened) gate = null;
    });
    gate = opened;
    return opened;
  };
  const pass = (given: [Statement, ...unknown[]], send: Send): Promise<unknown> =>
    gate ? gate.then(() => pass(given, send)) : by(labelOf(given[0]), send, first);
  /** The lane waits for the answer of the batch, also when another statement is sent instead. */
  const passBatch = (batch: StatementBatch): Promise<unknown> => {
    const result = pass([batch], (other) => {
      if (other !== undefined) return query(other);
      query(batch);
      return batch.answered;
    });
    result.catch((error) => batch.handleError(error));
    return result;
  };
  /** Of a batch, so it is not counted as a statement. */
  const prepare = (preparation: Preparation): Promise<unknown> =>
    gate ? gate.then(() => prepare(preparation)) : Promise.resolve(query(preparation));
  client.query = ((...given: [Statement, ...unknown[]]) => {
    if (given[0] instanceof Preparation) return prepare(given[0]);
    if (given[0] instanceof StatementBatch) return passBatch(given[0]);
    return pass(given, (other) => (other === undefined ? query(...given) : query(other)));
  }) as unknown as typeof client.query;
};

export const socketOf = (client: pg.Client) =>
  (client as unknown as { connection: { stream: import('node:net').Socket } }).connection.stream;

export const backendOf = (client: pg.Client): number => (client as unknown as { processID: number }).processID;

const STATE = 'select state from pg_stat_activity where pid = $1';

/** Resolves when the backend has finished all statements: it is idle outside a transaction, or has exited. */
export const finished = async (connection: Connection, pid: number): Promise<void> =>
  until(async () => {
    const { rows } = await aside(connection, STATE, [pid]);
    return rows.length === 0 || rows[0].state === 'idle';
  });

export const raise = (sqlstate: string): string => `do $$ begin raise sqlstate '${sqlstate}'; end $$`;
