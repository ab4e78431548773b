// One server for all tests of a process that do nothing to the server itself. Each has a marketplace of its own, and sees
// nothing but that in the database either. A server and a database for each test took it 0.1 to 0.25 s of CPU.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import pg from 'pg';
import { afterwards, type Hooks } from './afterwards.ts';
import { startApp, type TestApp } from './app.ts';
import { atTheEnd, processHooks } from './at-the-end.ts';
import { createDatabase } from './database.ts';

type Sql = TestApp['sql'];
type House = { readonly app: TestApp; sqlOf(places: readonly string[]): Sql };

const houses = new Map<boolean, Promise<House>>();
let marketplaces = 0;

/** The server of this process, without or with its sandbox, seen from a marketplace that nobody else uses. */
export const openApp = async (t: Hooks, { sandbox = false }: { sandbox?: boolean } = {}): Promise<TestApp> => {
  if (!houses.has(sandbox)) houses.set(sandbox, openHouse(sandbox));
  const { app, sqlOf } = await houses.get(sandbox)!;
  const number = ++marketplaces;
  const marketplaceId = `mkt_shared-${number}`;
  // The default one too: there would be what was done by mistake.
  const places = [marketplaceId, DEFAULT_MARKETPLACE];
  let every: Promise<string> | null = null;
  let isOver = false;
  afterwards(t, () => {
    isOver = true;
  });
  const keyOr = async (given: string | null | undefined): Promise<string | null> => {
    if (isOver) throw new Error('This test has ended; another uses the server now.');
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
      // What a test calls another marketplace is another one for each test.
      const place = `${other}-${number}`;
      places.push(place);
      return app.key(scopes, place);
    },
    user: async (ask = {}) => app.user({ ...ask, key: await keyOr(ask.key) }),
    sql: sqlOf(places),
    close: () => Promise.reject(new Error('Others use this server too.')),
  };
};

const openHouse = async (sandbox: boolean): Promise<House> => {
  const { connection, drop } = await createDatabase();
  atTheEnd(drop);
  const pool = new pg.Pool({ ...connection, max: 1, options: '-c search_path=narrow,public' });
  pool.on('error', () => {});
  atTheEnd(() => pool.end());
  await narrow(pool);
  const app = await startApp(processHooks, { sandbox, connection });
  const sqlOf =
    (places: readonly string[]): Sql =>
    async (text, values) => {
      const client = await pool.connect();
      try {
        await client.query("select set_config('test.places', $1, false)", [places.join()]);
        return (await client.query(text, values)).rows;
      } finally {
        client.release();
      }
    };
  return { app, sqlOf };
};

/** Views that show the marketplaces of one test, before the tables of the same names. */
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
