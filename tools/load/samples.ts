// Looks at everything that could grow: memory, handles and file descriptors of the server and of the simulators, connections, rows
// and sizes of the database, and how much of a processor each of them takes.

import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import type { Fixture } from './environment.ts';
import type { ProcessMetrics } from './process-metrics.ts';
import type { Program } from './programs.ts';

export type ProcessSample = ProcessMetrics & {
  readonly openFiles: number | null;
  /** Everything that the event loop waits for. */
  readonly handleCount: number;
};

type DatabaseSample = {
  readonly connections: number;
  readonly bytes: number;
  readonly deadRows: number;
  readonly answerRows: number;
  readonly answerBytes: number;
  readonly queueRows: number;
  readonly queueBytes: number;
  readonly eventBytes: number;
  readonly ledgerTransactions: number;
  /** Of all of PostgreSQL's processes; null where the system does not tell. */
  readonly cpuMs: number | null;
};

export type Sample = {
  readonly atMs: number;
  readonly server: ProcessSample;
  readonly sandbox: ProcessSample | null;
  readonly database: DatabaseSample;
  readonly streams: number;
};

const LOOK = `select
  (select count(*)::int from pg_stat_activity where datname = current_database() and backend_type = 'client backend')
    as connections,
  pg_database_size(current_database())::float8 as bytes,
  (select coalesce(sum(n_dead_tup), 0)::int from pg_stat_user_tables) as "deadRows",
  (select count(*)::int from idempotency_answers) as "answerRows",
  pg_total_relation_size('idempotency_answers')::float8 as "answerBytes",
  (select coalesce(sum(n_live_tup), 0)::int from pg_stat_user_tables where schemaname = 'pgboss') as "queueRows",
  (select coalesce(sum(pg_total_relation_size(relid)), 0)::float8 from pg_stat_user_tables where schemaname = 'pgboss')
    as "queueBytes",
  pg_total_relation_size('events')::float8 as "eventBytes",
  (select count(*)::int from ledger_transactions) as "ledgerTransactions"`;

/** User, system, and that of children that have ended; in hundredths of a second. */
const cpuOf = async (pid: number): Promise<number> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field || 0), 0) * 10;
};

const POSTMASTER = `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`;

const postgresCpuMs = async (postmaster: number): Promise<number | null> => {
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').catch(() => null);
  if (children === null) return null;
  const pids = [postmaster, ...children.trim().split(' ').map(Number)];
  return (await Promise.all(pids.map(cpuOf))).reduce((sum, ms) => sum + ms, 0);
};

const sampleProcess = async (program: Program, collect: boolean): Promise<ProcessSample> => {
  const openFiles = await program.openFiles();
  const metrics = await program.ask({ collect });
  return { ...metrics, openFiles, handleCount: Object.values(metrics.handles).reduce((sum, count) => sum + count, 0) };
};

const streamsOf = async (url: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^holdfast_sse_connections (\S+)/m.exec(text)?.[1] ?? 0);
};

export const openSampler = async ({ url, server, sandbox, pool }: Fixture) => {
  const begunAt = performance.now();
  const found = await pool.query<{ pid: number }>(POSTMASTER).catch(() => null);
  const postmaster = found?.rows[0]?.pid ?? null;
  const look = async (db: pg.Pool): Promise<DatabaseSample> => {
    const { rows } = await db.query<Omit<DatabaseSample, 'cpuMs'>>(LOOK);
    return { ...rows[0]!, cpuMs: postmaster === null ? null : await postgresCpuMs(postmaster) };
  };
  return async ({ collect }: { collect: boolean }): Promise<Sample> => ({
    atMs: performance.now() - begunAt,
    streams: await streamsOf(url),
    server: await sampleProcess(server, collect),
    sandbox: sandbox ? await sampleProcess(sandbox, collect) : null,
    database: await look(pool),
  });
};
