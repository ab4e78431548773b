// Manipulates the connection of a lane: inspects each statement, replaces it, or closes the socket at a chosen moment. The
// database at the other end is always real.

import type pg from 'pg';
import type { Connection } from '../../server/src/postgres/connection.ts';
import { aside } from '../../tools/test-database/aside.ts';
import { until } from '../../tools/until.ts';

type Statement = string | { name?: string; text: string };
type Send = (statement?: Statement) => Promise<unknown>;

const labelOf = (statement: Statement): string =>
  typeof statement === 'string' ? statement : (statement.name ?? statement.text);

/**
 * `by` gets the label of every statement (its name, or its text) and may send it, another one, or none. While its `first`
 * work runs, all later statements wait, so that the order of statements stays as the lane sent them.
 */
export const interceptStatements = (
  client: pg.Client,
  by: (label: string, send: Send, first: (work: () => Promise<unknown>) => Promise<void>) => Promise<unknown>,
): void => {
  const query = client.query.bind(client) as unknown as (...given: unknown[]) => Promise<unknown>;
  let gate: Promise<void> | null = null;
  const first = (work: () => Promise<unknown>): Promise<void> => {
    const opened: Promise<void> = work().then(() => {
      if (gate === opened) gate = null;
    });
    gate = opened;
    return opened;
  };
  const pass = (given: [Statement, ...unknown[]]): Promise<unknown> =>
    gate
      ? gate.then(() => pass(given))
      : by(labelOf(given[0]), (other) => (other === undefined ? query(...given) : query(other)), first);
  client.query = ((...given: [Statement, ...unknown[]]) => pass(given)) as unknown as typeof client.query;
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
