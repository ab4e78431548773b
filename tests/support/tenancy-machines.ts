// How a distributed database carries a statement out, by its own plan: on how many machines, or why it refuses.

import pg from 'pg';
import type { Sent } from './tenancy-wire.ts';

type Route = {
  /** Null: it is planned. */
  readonly refusal: string | null;
  /** The largest number of shards of one table that it uses at once. */
  readonly shards: number;
  readonly isWrite: boolean;
};

const PLANNED = /^\s*(select|insert|update|delete|with)\b/i;
const WRITE = /\b(insert into|update|delete from) /i;
const TASKS = /Task Count: (\d+)/g;

/** Tables of the job queue and of PostgreSQL itself stay on the coordinator. */
const isLocal = (text: string): boolean => /\bpgboss\.|\bpg_(extension|dist_partition)\b/.test(text);

const REFUSED = '0A000';

export const openRouteJudge = async (connection: pg.ClientConfig) => {
  const client = new pg.Client({ ...connection, options: '-c plan_cache_mode=force_custom_plan' });
  await client.connect();

  const explain = async ({ text, values }: Sent): Promise<number> => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, [...values]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    return Math.max(0, ...[...plan.matchAll(TASKS)].map(([, count]) => Number(count)));
  };

  /** Some statements can be carried out and not explained. They may fail here for another reason: they are sent a second time. */
  const attempt = async ({ text, values }: Sent): Promise<string | null> => {
    await client.query('begin');
    try {
      await client.query(text, [...values]);
      return null;
    } catch (error) {
      return error instanceof pg.DatabaseError && error.code === REFUSED ? error.message : null;
    } finally {
      await client.query('rollback');
    }
  };

  return {
    async route(sent: Sent): Promise<Route> {
      const isWrite = WRITE.test(sent.text);
      if (!PLANNED.test(sent.text) || isLocal(sent.text)) return { refusal: null, shards: 0, isWrite };
      try {
        return { refusal: null, shards: await explain(sent), isWrite };
      } catch {
        return { refusal: await attempt(sent), shards: 0, isWrite };
      }
    },
    close: () => client.end(),
  };
};
