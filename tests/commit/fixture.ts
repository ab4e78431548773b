// A committer on a real database. Tests read its counters and can manipulate its database connections.

import type pg from 'pg';
import { type Clock, systemClock } from '../../server/src/base/instant.ts';
import { type Amount, parseAmount } from '../../server/src/books/money.ts';
import type { Command, Outcome, ReplayGuard } from '../../server/src/commit/command.ts';
import { type Committer, type CommitterOptions, createCommitter } from '../../server/src/commit/committer.ts';
import { createWriteFunctions } from '../../server/src/commit/write-functions.ts';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { createUser } from '../../server/src/modules/users/create-user.ts';
import { type Connection, openLane, openPool } from '../../server/src/postgres/connection.ts';
import { TABLES } from '../../server/src/registry.ts';
import { afterwards, type Hooks } from '../../tools/test-database/afterwards.ts';
import { processHooks } from '../../tools/test-database/at-the-end.ts';
import { createDatabase } from '../../tools/test-database/database.ts';

export const MARKETPLACE = 'mkt_test';

export type Seen = {
  groups: number[];
  /** Commands by where their rows came from. */
  readonly commands: { memory: number; database: number };
  retries: string[];
  troubles: string[];
};

export type Fixture = {
  readonly connection: Connection;
  /** The marketplace of commands that name no other one. */
  readonly marketplaceId: string;
  readonly pool: pg.Pool;
  readonly committer: Committer;
  readonly seen: Seen;
  submit<Input, Reply>(command: Command<Input, Reply>, input: Input, options?: Asked<Reply>): Promise<Outcome<Reply>>;
  /** Creates a user with this available balance and returns the id. */
  user(available?: string): Promise<string>;
  available(userId: string): Promise<string>;
};

type Asked<Reply> = { marketplaceId?: string; requestId?: string; guard?: ReplayGuard<Reply> };

type FixtureOptions = Partial<CommitterOptions> & {
  connection?: Connection;
  marketplaceId?: string;
  /** Manipulates each new connection of a lane. */
  intercept?: (client: pg.Client) => void;
};

let made = 0;

export const usd = (wire: string): Amount => {
  const amount = parseAmount(wire);
  if (amount === null) throw new Error(`${wire} is not an amount`);
  return amount;
};

export const replyOf = <Reply>(outcome: Outcome<Reply>): Reply => {
  if (outcome.kind !== 'reply') throw new Error('expected a fresh answer');
  return outcome.reply;
};

export const newDatabase = async (t: Hooks): Promise<Connection> => {
  const database = await createDatabase();
  afterwards(t, () => database.drop());
  return database.connection;
};

export const openFixture = async (t: Hooks, options: FixtureOptions = {}): Promise<Fixture> => {
  const {
    connection = await newDatabase(t),
    marketplaceId: own = MARKETPLACE,
    intercept = () => {},
    ...overrides
  } = options;
  const pool = openPool(connection, { max: 4, onError() {} });
  const seen: Seen = { groups: [], commands: { memory: 0, database: 0 }, retries: [], troubles: [] };
  const committer = createCommitter({
    tables: TABLES,
    async connect() {
      const client = await openLane(connection);
      intercept(client);
      return client;
    },
    clock: systemClock,
    lanes: 2,
    groupMax: 512,
    queueMax: 10_000,
    patienceMs: 10_000,
    watch: {
      committed({ size, rows }) {
        seen.groups.push(size);
        seen.commands[rows] += size;
      },
      refused() {},
      retried: (reason) => void seen.retries.push(reason),
    },
    onEvents() {},
    onTrouble: (message, error) => void seen.troubles.push(`${message}: ${error}`),
    ...overrides,
  });
  afterwards(t, async () => {
    await committer.close();
    await pool.end();
  });

  const submit: Fixture['submit'] = (command, input, { marketplaceId = own, requestId, guard } = {}) =>
    committer.submit({
      command,
      input,
      context: { marketplaceId, actor: { type: 'system', id: 'test' }, requestId: requestId ?? `req_${++made}` },
      ...(guard === undefined ? {} : { guard }),
    });

  return {
    connection,
    marketplaceId: own,
    pool,
    committer,
    seen,
    submit,
    async user(available) {
      const input = {
        baseCurrency: 'USD',
        externalUserId: `u${++made}`,
        email: null,
        type: 'BOTH',
        metadata: {},
      } as const;
      const { user } = replyOf(await submit(createUser, input));
      if (available) await submit(creditBalance, { userId: user.id, currency: 'USD', amount: usd(available) });
      return user.id;
    },
    async available(userId) {
      const { rows } = await pool.query<{ balance: bigint }>('select balance from accounts where id = $1', [
        `${userId}:available:USD`,
      ]);
      return rows[0] ? (Number(rows[0].balance / 100_000n) / 100).toFixed(2) : '0.00';
    },
  };
};

let shared: Promise<Connection> | null = null;
let places = 0;

/** The database that the fixtures of a process share when each has its own marketplace. */
export const sharedDatabase = (): Promise<Connection> => {
  shared ??= newDatabase(processHooks);
  return shared;
};

/** A fixture with its own marketplace in the shared database. A new database costs PostgreSQL 0.1 s of CPU. */
export const openPlace = async (t: Hooks, options: FixtureOptions = {}): Promise<Fixture> =>
  openFixture(t, { connection: await sharedDatabase(), marketplaceId: `mkt_test_${++places}`, ...options });

/** Another committer in the same marketplace. */
export const openAnotherCommitter = (t: Hooks, { connection, marketplaceId }: Fixture): Promise<Fixture> =>
  openFixture(t, { connection, marketplaceId });

/** A clock that never shows the same time twice. */
export const steppingClock = (): Clock => {
  let micros = Date.UTC(2030, 0) * 1_000;
  return () => ++micros;
};

/** A committer that writes as on a distributed database: one marketplace in each group, by functions. */
export const openDistributed = async (t: Hooks, options: FixtureOptions): Promise<Fixture> => {
  const fixture = await openFixture(t, { ...options, isDistributed: true });
  const client = await fixture.pool.connect();
  await createWriteFunctions(client, { isDistributed: false }).finally(() => client.release());
  return fixture;
};
