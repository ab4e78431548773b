// Brings a database to this server's schema: numbered SQL files without gaps, forward only, each in one transaction with its row in
// schema_migrations. Many servers may start at once; each file is applied once. An applied file is never applied again or changed.

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Pool, PoolClient } from 'pg';
import { isDistributed } from '../postgres/distributed.ts';
import { applyStatements, completeMigration, prepareMigration, StatementFailed } from './distributed/migration.ts';
import { FOREIGN_DATABASE_REMEDY, findForeignTables } from './foreign-database.ts';

export const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));

// Any constant works, as long as every version of this server uses the same.
export const MIGRATIONS_LOCK = 4_853_165;

/**
 * A change of a table waits for running reads, and all later queries wait behind the change. So the change waits for its lock only
 * briefly, lets the queries pass, and tries again. A server of the previous version continues to work.
 */
const LOCK_WAIT = '500ms';
const LOCK_PAUSE_MS = 1_000;
const LOCK_TRIES_MAX = 600;
const LOCK_NOT_AVAILABLE = '55P03';

export async function migrate(options: {
  pool: Pool;
  folder?: string;
  log?(line: string): void;
}): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(options.folder ?? MIGRATIONS);
  const applied: string[] = [];
  const client = await options.pool.connect();
  try {
    for (;;) {
      const name = await untilFree(() => applyNext(client, migrations), options.log);
      if (name === null) return { applied };
      applied.push(name);
      options.log?.(`Applied migration ${name}`);
    }
  } finally {
    client.release();
  }
}

async function untilFree<T>(work: () => Promise<T>, log?: (line: string) => void): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: string };
      if (code !== LOCK_NOT_AVAILABLE || tries === LOCK_TRIES_MAX) throw error;
      if (tries === 1) log?.(`${(error as Error).message}; it is retried until the lock is free`);
      await pause(LOCK_PAUSE_MS);
    }
  }
}

// The lock belongs to the transaction, so it also works behind a connection pooler.
async function applyNext(client: PoolClient, migrations: Migration[]): Promise<string | null> {
  await client.query('begin');
  try {
    await client.query('set local statement_timeout = 0; set local lock_timeout = 0');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATIONS_LOCK]);
    const foreign = await findForeignTables(
      client,
      migrations.map(({ name }) => name),
    );
    if (foreign !== null) throw new Error(`${foreign} ${FOREIGN_DATABASE_REMEDY}`);
    await client.query(`
      create table if not exists schema_migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`);
    const next = findNext(migrations, await readApplied(client));
    const ofMany = await isDistributed(client);
    if (ofMany) await prepareMigration(client);
    if (next === undefined && ofMany) await completeMigration(client);
    if (next !== undefined) {
      await client.query(`set local lock_timeout = '${LOCK_WAIT}'`);
      await apply(next, (sql) => (ofMany ? applyStatements(client, sql) : client.query(sql)));
      await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [next.name, next.checksum]);
    }
    await client.query('commit');
    return next?.name ?? null;
  } catch (error) {
    await client.query('rollback').catch(() => {}); // The database rolls a lost connection back.
    throw error;
  }
}

type Applied = { name: string; checksum: string };

async function readApplied(client: PoolClient): Promise<Applied[]> {
  const { rows } = await client.query<Applied>(
    'select name, checksum from schema_migrations order by name collate "C"',
  );
  return rows;
}

function findNext(migrations: Migration[], applied: Applied[]): Migration | undefined {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const [index, { name, checksum }] of applied.entries()) {
    const migration = known.get(name);
    if (migration === undefined) {
      throw new Error(
        `The database has migration ${name}, which this server does not know: a newer Holdfast has used it. ` +
          'Start that version or a later one, or restore a backup from before the upgrade.',
      );
    }
    if (migration.checksum !== checksum) {
      throw new Error(
        `Migration ${name} has changed since it was applied to this database. ` +
          'Put the file back as it was, and make the change in a new migration.',
      );
    }
    if (migrations[index] !== migration) {
      throw new Error(
        `The database has migration ${name} but not ${migrations[index]?.name}, which comes before it. ` +
          'Give the new migration the next free number instead.',
      );
    }
  }
  return migrations[applied.length];
}

async function apply({ name, sql }: Migration, execute: (sql: string) => Promise<unknown>): Promise<void> {
  try {
    await execute(sql);
  } catch (error) {
    const at = lineOf(error as Error, sql);
    const place = at === null ? '' : ` at line ${at}`;
    const cause = error instanceof StatementFailed ? error.cause : error;
    throw new Error(`Migration ${name} failed${place} and left nothing behind: ${(error as Error).message}`, { cause });
  }
}

function lineOf(error: Error & { position?: string }, sql: string): number | null {
  if (error instanceof StatementFailed) return error.line;
  return error.position === undefined ? null : [...sql].slice(0, Number(error.position)).join('').split('\n').length;
}

type Migration = { name: string; sql: string; checksum: string };

const NAME = /^(\d{4})_[a-z0-9_-]+\.sql$/;
const ENDS_TRANSACTION = /^\s*(begin|start transaction|commit|end|rollback|abort)( work| transaction)?\s*;/im;

export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(files.map((file, index) => readMigration(path.join(folder, file), index + 1)));
}

async function readMigration(file: string, number: number): Promise<Migration> {
  const base = path.basename(file);
  const expected = String(number).padStart(4, '0');
  if (NAME.exec(base)?.[1] !== expected) {
    throw new Error(`Migration ${base} is out of order: a file named ${expected}_….sql is expected in its place.`);
  }
  const sql = (await readFile(file, 'utf8')).replaceAll('\r\n', '\n'); // Git may check out either.
  if (ENDS_TRANSACTION.test(withoutBodies(sql))) {
    throw new Error(`Migration ${base} must not begin or end a transaction: each file runs inside one.`);
  }
  return { name: base.slice(0, -'.sql'.length), sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

// Inside a function body, "end;" does not end a transaction.
const withoutBodies = (sql: string) => sql.replace(/(\$\w*\$)[\s\S]*?\1/g, '');
