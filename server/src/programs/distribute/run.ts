// One run of `holdfast distribute`: what stands against it, the plan, the proof before, the tables, the proof after. While it runs it holds
// the lock of migrations, so a server that starts waits until the database is complete.

import pg from 'pg';
import { MIGRATIONS, MIGRATIONS_LOCK, readMigrations } from '../../commit/migrate.ts';
import { distribute } from '../../distributed/distribute.ts';
import { findObstacle } from '../../distributed/obstacles.ts';
import { makePlan, type Plan } from '../../distributed/plan.ts';
import { type Connection, openHeavyPool } from '../../postgres/connection.ts';
import { AT_ONCE, type Comparison, compareBooks, forgetWritten, hasNote, noteBooks } from './books.ts';

export type Ask = {
  readonly connection: Connection;
  readonly shards: number;
  /** Shows the plan, and returns whether to carry it out. */
  confirm(plan: Plan): Promise<boolean>;
  say(line: string): void;
};

export type Outcome =
  /** `reason` has the next step. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'nothing-done'; readonly plan: Plan }
  | {
      readonly kind: 'done';
      readonly plan: Plan;
      readonly distributed: readonly string[];
      readonly comparison: Comparison;
    };

const PROOF_TIMEOUT_MS = 3_600_000;
/** Proofs of many marketplaces tell every so many where they are. */
const TELL_EVERY = 1_000;

type Parts = Ask & { readonly client: pg.Client };

const teller =
  (say: Ask['say'], what: string) =>
  (done: number, of: number): void => {
    if (done % TELL_EVERY === 0 || done === of) say(`${what}: ${done} of ${of} marketplaces`);
  };

const withPool = async <Result>(connection: Connection, work: (pool: pg.Pool) => Promise<Result>): Promise<Result> => {
  const pool = openHeavyPool(connection, { max: AT_ONCE, timeoutMs: PROOF_TIMEOUT_MS, onError: () => {} });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
};

/** Books that do not hold are refused while nothing has changed. Returns the refusal. */
const proveBefore = async ({ client, connection, say }: Parts, { done, tables }: Plan): Promise<string | null> =>
  withPool(connection, async (pool) => {
    // A complete distribution that only lacks the move to the coordinator is proved as any other database is.
    if (done > 0 && (tables.length > 0 || (await hasNote(client)))) {
      const written = await forgetWritten({ pool, client });
      const rest = written > 0 ? `; ${written} marketplaces cannot be compared with their books from before` : '';
      say(`An earlier run has distributed ${done} tables${rest}`);
      return null;
    }
    const problems = await noteBooks({ pool, client, onProgress: teller(say, 'Proved before') });
    if (problems.length === 0) return null;
    return `The books do not hold, so nothing was changed. ${problems.join(' ')} Find the cause first: \`holdfast proof\`.`;
  });

const carryOut = async (parts: Parts, plan: Plan): Promise<Outcome> => {
  const { client, connection, say } = parts;
  const refusal = await proveBefore(parts, plan);
  if (refusal !== null) return { kind: 'refused', reason: refusal };
  await client.query(`set citus.shard_count to ${plan.shards}`);
  const distributed = await distribute(client, say);
  const comparison = await withPool(connection, (pool) =>
    compareBooks({ pool, client, onProgress: teller(say, 'Proved after') }),
  );
  return { kind: 'done', plan, distributed, comparison };
};

const decide = async (parts: Parts): Promise<Outcome> => {
  const { client, shards, confirm } = parts;
  const lock = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [MIGRATIONS_LOCK]);
  if (!lock.rows[0]!.mine) {
    return {
      kind: 'refused',
      reason: 'Another program migrates or distributes the database. Wait until it has ended.',
    };
  }
  const migrations = (await readMigrations(MIGRATIONS)).map(({ name }) => name);
  const reason = await findObstacle(client, { migrations });
  if (reason !== null) return { kind: 'refused', reason };
  const plan = await makePlan(client, shards);
  const isNeeded = plan.tables.length > 0 || plan.placesService || (await hasNote(client));
  if (!isNeeded || !(await confirm(plan))) return { kind: 'nothing-done', plan };
  return carryOut(parts, plan);
};

export const runDistribute = async (ask: Ask): Promise<Outcome> => {
  // A table may be large, so no statement is limited.
  const client = new pg.Client({ ...ask.connection, application_name: 'holdfast distribute', keepAlive: true });
  client.on('error', () => {});
  await client.connect();
  try {
    return await decide({ ...ask, client });
  } finally {
    await client.end();
  }
};
