// Connections that each do one transaction after the other: how the yardsticks drive PostgreSQL.

import type pg from 'pg';
import { type Connection, openPool } from '../server/src/postgres/connection.ts';
import { percentiles, type Sample } from '../tools/measure/rounds.ts';

export type Yardstick = { readonly name: string; run(seconds: number): Promise<Sample> };

export const CLIENTS = 8;

/** Each connection does one transaction after the other. */
export const driveClients = async (
  clients: readonly pg.PoolClient[],
  { seconds, transact }: { seconds: number; transact(client: pg.PoolClient): Promise<void> },
): Promise<Sample> => {
  const times: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1_000;
  const work = async (client: pg.PoolClient): Promise<void> => {
    for (let now = performance.now(); now < end; ) {
      await transact(client);
      const then = performance.now();
      times.push(then - now);
      now = then;
    }
  };
  await Promise.all(clients.map(work));
  return { perSecond: times.length / ((performance.now() - started) / 1_000), ...percentiles(times) };
};

export const openClients = async (connection: Connection, cleanUp: AsyncDisposableStack): Promise<pg.PoolClient[]> => {
  const pool = openPool(connection, { max: CLIENTS, onError: (error) => console.error(error) });
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => pool.connect()));
  cleanUp.defer(async () => {
    for (const client of clients) client.release();
    await pool.end();
  });
  return clients;
};

export const below = (count: number): number => Math.floor(Math.random() * count);
