// One server for all tests of a process that do not change the server. Each test has a new marketplace, and its SQL sees
// only the rows of that marketplace. A server and a database for each test took 0.1 to 0.25 s of CPU per test.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import pg from 'pg';
import type { Env } from '../../server/src/config/config.ts';
import { isDistributed } from '../../server/src/postgres/distributed.ts';
import { afterwards, type Hooks } from '../../tools/test-database/afterwards.ts';
import { atTheEnd, processHooks } from '../../tools/test-database/at-the-end.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { startApp, type TestApp } from './app.ts';
import { narrowSql } from './narrow-sql.ts';

type Sql = TestApp['sql'];
type Settings = { readonly sandbox?: boolean; readonly env?: Env };

/** A server that the tests of this process share, and its database as the tests of some marketplaces see it. */
export type SharedServer = { readonly app: TestApp; sqlOf(places: readonly string[]): Sql };

/** The marketplace of Surface B in a shared server. Tests of Surface A do not read it. */
export const PEOPLE_MARKETPLACE = 'mkt_people';

/** Settings with a short timeout for providers. */
export const HURRIED = { PROVIDER_TIMEOUT_MS: '1000' };

/** Signs the escrow provider's webhooks of a shared server with the sandbox. */
export const ESCROW_SECRET = 'whsec_of-the-shared-server-0123456789';

// Tests move money on the ledger without the server. The deposit job must not book it in the middle of a test. All tests of a process
// share one budget of hints.
const SANDBOX_SETTINGS: Env = {
  ESCROW_WEBHOOK_SECRET: ESCROW_SECRET,
  DEPOSIT_POLL_S: '3600',
  HINTS_PER_MINUTE: '10000',
};

const servers = new Map<string, Promise<SharedServer>>();
let marketplaces = 0;

/** The server of this process with these settings, seen from a marketplace that no other test uses. */
export const openApp = async (t: Hooks, settings: Settings = {}): Promise<TestApp> =>
  openMarketplace(t, await sharedServer(settings));

/** The same server, seen from the marketplace of Surface B, which all tests of Surface B share. */
export const openPeopleApp = async (t: Hooks, settings: Settings = {}): Promise<TestApp> =>
  openMarketplace(t, await sharedServer(settings), PEOPLE_MARKETPLACE);

const sharedServer = ({ sandbox = false, env = {} }: Settings): Promise<SharedServer> => {
  const key = JSON.stringify([sandbox, Object.entries(env).sort()]);
  const server = servers.get(key) ?? startSharedServer({ sandbox, env });
  servers.set(key, server);
  return server;
};

/** A shared server, seen from a marketplace of the test's own, or from the one that is named. */
export const openMarketplace = (t: Hooks, { app, sqlOf }: SharedServer, named?: string): TestApp => {
  const number = ++marketplaces;
  const marketplaceId = named ?? `mkt_shared-${number}`;
  // The default marketplace too: a request to the wrong marketplace would show there.
  const places = [marketplaceId, DEFAULT_MARKETPLACE];
  let every: Promise<string> | null = null;
  let isOver = false;
  afterwards(t, () => {
    isOver = true;
  });
  const keyOr = async (given: string | null | undefined): Promise<string | null> => {
    if (isOver) throw new Error('This test has ended; another test uses the server now.');
    if (given !== undefined) return given;
    every ??= app.key(['*'], marketplaceId);
    return every;
  };
  return {
    ...app,
    marketplaceId,
    call: async (request, ask = {}) => app.call(request, { ...ask, key: await keyOr(ask.key) }),
    key(scopes, other) {
      if (other === undefined || other === DEFAULT_MARKETPLACE) return app.key(scopes, other ?? marketplaceId);
      // The name of another marketplace becomes a different marketplace for each test.
      const place = `${other}-${number}`;
      places.push(place);
      return app.key(scopes, place);
    },
    aUser: async (wanted = {}) => app.aUser({ ...wanted, key: await keyOr(wanted.key) }),
    sql: sqlOf(places),
    close: () => Promise.reject(new Error('Other tests use this server too.')),
  };
};

export const startSharedServer = async ({ sandbox = false, env = {} }: Settings): Promise<SharedServer> => {
  const { connection, drop } = await createDatabase();
  atTheEnd(drop);
  const sqlOf = await openNarrow(connection);
  const peopleThere = { SURFACE_B_MARKETPLACE: PEOPLE_MARKETPLACE };
  const known = sandbox ? SANDBOX_SETTINGS : {};
  const app = await startApp(processHooks, { sandbox, connection, env: { ...peopleThere, ...known, ...env } });
  return { app, sqlOf };
};

/** Statements that see only the marketplaces of one test: by views, or by themselves where the database is distributed. */
const openNarrow = async (connection: pg.ClientConfig): Promise<(places: readonly string[]) => Sql> => {
  const pool = new pg.Pool({ ...connection, max: 1, options: '-c search_path=narrow,public' });
  pool.on('error', () => {});
  atTheEnd(() => pool.end());
  if (await isDistributed(pool)) {
    const tables = new Set((await pool.query<{ name: string }>(TABLES)).rows.map(({ name }) => name));
    return (places) => async (text, values) => (await pool.query(narrowSql(text, { tables, places }), values)).rows;
  }
  await narrow(pool);
  return (places) => async (text, values) => {
    const client = await pool.connect();
    try {
      await client.query("select set_config('test.places', $1, false)", [places.join()]);
      return (await client.query(text, values)).rows;
    } finally {
      client.release();
    }
  };
};

const TABLES = `select table_name as name from information_schema.columns
  where table_schema = 'public' and column_name = 'marketplace_id'`;

/** Views that show only the marketplaces of one test; they hide the tables of the same names. */
const narrow = async (pool: pg.Pool): Promise<void> => {
  await pool.query(`do $$ declare name text; begin
    create schema narrow;
    for name in select table_name from information_schema.columns
      where table_schema = 'public' and column_name = 'marketplace_id'
    loop
      execute format('create view narrow.%1$I as select * from public.%1$I
        where marketplace_id = any (string_to_array(current_setting(''test.places''), '',''))', name);
    end loop;
  end $$`);
};
