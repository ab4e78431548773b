// An environment in which a server is killed. Simulators and database outlive the server, and a gate controls the connections to
// both. Each order has its own marketplace, treasury and wallets, so that stopping one order stops no other.

import assert from 'node:assert/strict';
import path from 'node:path';
import type { TestContext } from 'node:test';
import pg from 'pg';
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts';
import { urlOf } from '../../tools/cluster/database.ts';
import { httpRequest } from '../../tools/processes/http-request.ts';
import { MASTER_KEY, type ServerProcess, startServer } from '../../tools/processes/server-process.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';
import { openCommitGate } from './commit-gate.ts';
import { openGate } from './gate.ts';
import { openSimulatorsGate } from './simulator-gate.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers and rows are read like JavaScript would
export type Any = any;

/** A marketplace with a treasury, a buyer and a seller. */
export type Place = {
  readonly marketplaceId: string;
  readonly key: string;
  readonly buyer: string;
  readonly seller: string;
};

type Ask = {
  readonly key: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Environment = Awaited<ReturnType<typeof openEnvironment>>;

const AT_ONCE = 8;

/** A stopped order must not time out before the server is killed. */
const LONG_MS = '600000';

const settingsFor = ({ describe }: Sandbox, simulators: string) => {
  const factories = describe().escrowFactories as Record<string, string>;
  return {
    ESCROW_PROVIDER_URL: `${simulators}/escrow-provider`,
    LEDGER_URL: `${simulators}/ledger`,
    PAYMENT_PROVIDER_URL: `${simulators}/payment-provider/v2`,
    ESCROW_FACTORY_SINGLE: factories['single-release']!,
    ESCROW_FACTORY_MULTI: factories['multi-release']!,
    ESCROW_PROVIDER_RATE_PER_MINUTE: '0',
    LEDGER_RATE_PER_MINUTE: '0',
    PROVIDER_CONCURRENCY_MAX: '1000',
    PROVIDER_TIMEOUT_MS: LONG_MS,
    OPERATION_WAIT_MS: LONG_MS,
    // Enough for all transactions of a wallet: a refill would be one more step.
    WALLET_STARTING_XLM: '50.00',
    // Only the first poll, right after the start: a later poll would run between the counted steps.
    DEPOSIT_POLL_S: '3600',
  };
};

/** Discards jobs that are not in the list of allowed jobs. */
const ALLOWED_JOBS_ONLY = `create table pgboss.allowed_jobs (name text);
  create function pgboss.discard_other_jobs() returns trigger language plpgsql as $$ begin
    if new.name like '\\_\\_%' or new.name in (select name from pgboss.allowed_jobs) then return new; end if;
    return null;
  end $$;
  create trigger discard_other_jobs before insert on pgboss.job for each row execute function pgboss.discard_other_jobs()`;

const OTHER_JOBS = `pgboss.job where name not like '\\_\\_%' and name not in (select name from pgboss.allowed_jobs)`;

const idsOf = (places: readonly Place[]): string[] => places.map(({ marketplaceId }) => marketplaceId);

const withinBounds = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const done: R[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) done[index] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return done;
};

type Sql = (text: string, values?: unknown[]) => Promise<Any[]>;

const requestsTo = (url: () => string) => {
  /** Null: the server was killed before it answered. */
  const ask = async (
    request: string,
    { key, body, ...more }: Ask,
  ): Promise<{ status: number; text: string } | null> => {
    const [method, path] = request.split(' ') as [string, string];
    const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { authorization: `Bearer ${key}`, ...json, ...more.headers };
    try {
      return await httpRequest(`${url()}/api/v1${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch {
      return null;
    }
  };

  const expect = async (request: string, asked: Ask): Promise<Any> => {
    const answer = await ask(request, asked);
    assert.ok(answer && answer.status < 300, `${request}: ${answer?.status} ${answer?.text}`);
    const { data } = JSON.parse(answer.text);
    return data?.data ?? data;
  };

  return { ask, expect };
};

const jobFilterOf = (sql: Sql) => {
  let hasJobFilter = false;
  /** Only these jobs may start from now on. Waits until other running jobs have ended. */
  return async (names: readonly string[]): Promise<void> => {
    if (!hasJobFilter) await sql(ALLOWED_JOBS_ONLY);
    hasJobFilter = true;
    await sql('delete from pgboss.allowed_jobs');
    await sql('insert into pgboss.allowed_jobs select unnest($1::text[])', [names]);
    await sql(`delete from ${OTHER_JOBS} and state < 'active'`);
    await until(
      async () => (await sql(`select from ${OTHER_JOBS} and state = 'active'`)).length === 0,
      'jobs have ended',
    );
  };
};

const treasuriesOf = (sandbox: Sandbox, sql: Sql) => ({
  /** Sandbox money for the treasuries. The server books it at its first poll of all wallets, right after its next start. */
  async fillTreasuries(places: readonly Place[]): Promise<void> {
    const living = `select address from wallets where owner = 'treasury' and marketplace_id = any($1)`;
    for (const { address } of await sql(living, [idsOf(places)])) {
      const answer = await fetch(`${sandbox.urls.control}/faucet`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ address, asset: 'USDC', amount: '10000.00' }),
      });
      assert.ok(answer.ok, await answer.text());
    }
  },

  untilFilled: (places: readonly Place[]): Promise<void> =>
    until(async () => {
      const seen = `select 1 from deposits where asset = 'USDC' and marketplace_id = any($1)`;
      return (await sql(seen, [idsOf(places)])).length === places.length;
    }, 'the treasuries are filled'),

  /** These marketplaces have no running operation and no transaction in flight. */
  untilRest: (places: readonly Place[]): Promise<void> =>
    until(async () => {
      const open = `select 1 from operations where state = 'RUNNING' and marketplace_id = any($1)
        union all select 1 from ledger_transactions where state = 'SIGNED' and marketplace_id = any($1)
        union all select 1 from treasury_payments where state in ('QUEUED', 'SENT') and marketplace_id = any($1)
        union all select 1 from wallets where status = 'PENDING' and (activation_requested_at is not null or owner = 'treasury')
          and marketplace_id = any($1)`;
      return (await sql(open, [idsOf(places)])).length === 0;
    }, 'nothing is in progress'),
});

export const openEnvironment = async (t: TestContext) => {
  const database = await createDatabase();
  afterwards(t, () => database.drop());
  const { host, port } = database.connection;
  const sandbox = await startSandbox({ port: 0 });
  afterwards(t, () => sandbox.close());
  const gate = openGate();
  const simulators = await openSimulatorsGate(t, { gate, target: sandbox.url });
  const commits = await openCommitGate(t, { gate, socket: { host, port } });
  const pool = new pg.Pool({ ...database.connection, max: 4 });
  pool.on('error', () => {});
  afterwards(t, () => pool.end());
  const dataDir = await temporaryFolder(t);
  const settings = settingsFor(sandbox, simulators);
  let server: ServerProcess | null = null;
  let made = 0;

  const sql = async (text: string, values: unknown[] = []): Promise<Any[]> => (await pool.query(text, values)).rows;

  const { ask, expect } = requestsTo(() => server!.url);

  return {
    sandbox,
    gate,
    sql,
    ask,
    expect,
    allowJobs: jobFilterOf(sql),
    ...treasuriesOf(sandbox, sql),
    laneOf: commits.laneOf,

    async start(): Promise<void> {
      const url = urlOf({ ...database.connection, host: '127.0.0.1', port: commits.port });
      // Servers that exit normally write the compile cache: later ones start with 1.6 s of processor time instead of 2.6 s.
      const compiled = process.env.NODE_COMPILE_CACHE ?? path.join(dataDir, 'compiled');
      server = await startServer(t, { dataDir, env: { ...settings, DATABASE_URL: url, NODE_COMPILE_CACHE: compiled } });
    },

    async stop(): Promise<void> {
      assert.deepEqual(await server?.kill('SIGTERM'), { code: 0, signal: null });
    },

    async kill(): Promise<void> {
      await server?.kill('SIGKILL');
    },

    async makePlace(): Promise<Place> {
      const marketplaceId = `mkt_${String(++made).padStart(4, '0')}`;
      const body = { name: 'crash', scopes: ['*'], marketplaceId };
      const { key } = await expect('POST /auth/api-keys', { key: MASTER_KEY, body });
      const [buyer, seller] = await Promise.all(
        ['b', 's'].map(async (id) => (await expect('POST /users', { key, body: { externalUserId: id } })).id),
      );
      // Their accounts are on the ledger before the order, so that every run of the order has the same steps.
      for (const id of [buyer, seller]) await expect(`GET /users/${id}/wallet/deposit`, { key });
      return { marketplaceId, key, buyer, seller };
    },

    each: withinBounds,
  };
};
