// What the committer is measured beside, on the same PostgreSQL server in the same minutes: pgbench's TPC-B, or when it is
// not installed the same transaction from here; and the usual way to write such a service, one transaction per request.
// They never share tables with what they are beside.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type pg from 'pg';
import { auditHash } from '../server/src/store/audit-hash.ts';
import { type Connection, openPool } from '../server/src/store/connection.ts';
import { migrate } from '../server/src/store/migrate.ts';
import { createDatabase, runSql } from './databases.ts';
import { percentiles, type Sample } from './rounds.ts';

export type Yardstick = { readonly name: string; run(seconds: number): Promise<Sample> };

const execute = promisify(execFile);
const CLIENTS = 8;
/** As many branches as clients or more, or TPC-B measures nothing but waiting for a branch. */
const SCALE = 10;

/** Each connection does one transaction after the other. */
const driveClients = async (
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

const openClients = async (connection: Connection, cleanUp: AsyncDisposableStack): Promise<pg.PoolClient[]> => {
  const pool = openPool(connection, { max: CLIENTS, onError: (error) => console.error(error) });
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => pool.connect()));
  cleanUp.defer(async () => {
    for (const client of clients) client.release();
    await pool.end();
  });
  return clients;
};

const below = (count: number): number => Math.floor(Math.random() * count);

export const openTpcB = async (server: Connection, cleanUp: AsyncDisposableStack): Promise<Yardstick> => {
  const connection = await createDatabase(server, { name: 'tpcb' });
  const target = ['-h', connection.host!, '-p', String(connection.port), '-U', connection.user!, connection.database!];
  const isInstalled = await execute('pgbench', ['--version']).then(
    () => true,
    () => false,
  );
  if (!isInstalled) return openOwnTpcB(connection, cleanUp);

  await execute('pgbench', ['-i', '-q', '-s', String(SCALE), ...target]);
  const options = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '2'];
  return {
    name: `pgbench TPC-B prepared, ${CLIENTS} clients`,
    async run(seconds) {
      const { stdout } = await execute('pgbench', [...options, '-T', String(Math.ceil(seconds)), ...target]);
      const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
      if (!(perSecond > 0)) throw new Error(`pgbench did not say how fast it was: ${stdout}`);
      return { perSecond };
    },
  };
};

const TPCB_TABLES = [
  `create table branches with (fillfactor = 100) as select id, 0 as balance, repeat(' ', 88) as filler
    from generate_series(1, ${SCALE}) id`,
  `create table tellers with (fillfactor = 100) as select id, 0 as balance, repeat(' ', 84) as filler
    from generate_series(1, ${SCALE * 10}) id`,
  `create table accounts with (fillfactor = 100) as select id, 0 as balance, repeat(' ', 84) as filler
    from generate_series(1, ${SCALE * 100_000}) id`,
  'create table history (teller int, branch int, account int, delta int, at timestamp, filler char(22))',
  ...['branches', 'tellers', 'accounts'].map((table) => `alter table ${table} add primary key (id)`),
  'vacuum analyze',
];

const openOwnTpcB = async (connection: Connection, cleanUp: AsyncDisposableStack): Promise<Yardstick> => {
  await runSql(connection, TPCB_TABLES);
  const clients = await openClients(connection, cleanUp);
  const transact = async (client: pg.PoolClient): Promise<void> => {
    const [account, teller, branch] = [below(SCALE * 100_000) + 1, below(SCALE * 10) + 1, below(SCALE) + 1];
    const delta = below(10_001) - 5_000;
    const add = (table: string, id: number) =>
      client.query({
        name: `add-${table}`,
        text: `update ${table} set balance = balance + $1 where id = $2`,
        values: [delta, id],
      });
    await client.query({ name: 'begin', text: 'begin' });
    await add('accounts', account);
    await client.query({ name: 'look', text: 'select balance from accounts where id = $1', values: [account] });
    await add('tellers', teller);
    await add('branches', branch);
    await client.query({
      name: 'note',
      text: 'insert into history (teller, branch, account, delta, at) values ($1, $2, $3, $4, current_timestamp)',
      values: [teller, branch, account, delta],
    });
    await client.query({ name: 'commit', text: 'commit' });
  };
  return {
    name: `TPC-B prepared from node (no pgbench here), ${CLIENTS} clients`,
    run: (seconds) => driveClients(clients, { seconds, transact }),
  };
};

const HOME = 'mkt_yardstick';
const ACCOUNTS = 1_000;

const BOOKS = [
  'create sequence positions',
  'create sequence entries',
  `insert into accounts select '${HOME}', 'user-' || n || ':available:USD', 'claim', 'USD', 'user-' || n, false,
    1000000000000, 1, now() from generate_series(0, ${ACCOUNTS - 1}) n`,
  'vacuum analyze',
];

const STATEMENTS = {
  lock: `select id, balance, postings from accounts where marketplace_id = '${HOME}' and id = any($1::text[])
    order by id for no key update`,
  move: `update accounts t set balance = u.balance, postings = u.postings, touched_at = now()
    from unnest($1::text[], $2::bigint[], $3::bigint[]) u (id, balance, postings)
    where t.marketplace_id = '${HOME}' and t.id = u.id`,
  post: `insert into postings select '${HOME}', u.id, u.seq, u.amount, u.balance, u.counter, 'credit', null, null, $6, now()
    from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[]) u (id, seq, amount, balance, counter)`,
  emit: `insert into events select '${HOME}', n, to_timestamp(0) + n * interval '1 microsecond', 'balance.credited',
    'Balance', $1, $2 from nextval('positions') n`,
  audit: `insert into audit_entries select '${HOME}', n, now(), 'BALANCE_CREDITED', 'Balance', $1, null, $2, $3, 'api_key',
    'key_bench', 'SUCCESS', 'req_bench', $4 from nextval('entries') n`,
} as const;

type Locked = { id: string; balance: bigint; postings: bigint };

/**
 * A transfer between two users with the rows of a credit, in the product's own tables. It is spared what would make it
 * wait: events and audit entries are numbered by sequences, with gaps, and the entries are not chained.
 */
const transfer = async (client: pg.PoolClient, { from, to }: { from: string; to: string }): Promise<void> => {
  const run = <Row extends pg.QueryResultRow>(name: keyof typeof STATEMENTS, values: unknown[]) =>
    client.query<Row>({ name, text: STATEMENTS[name], values });
  const amount = 10_000_000n;
  const commandId = crypto.randomUUID();
  await client.query('begin');
  const { rows } = await run<Locked>('lock', [[from, to]]);
  const signed = rows.map(({ id }) => (id === from ? -amount : amount));
  const balances = rows.map(({ balance }, i) => balance + signed[i]!);
  const seqs = rows.map(({ postings }) => postings + 1n);
  const ids = rows.map(({ id }) => id);
  await run('move', [ids, balances, seqs]);
  await run('post', [ids, seqs, signed, balances, ids.toReversed(), commandId]);
  const before = JSON.stringify({ currency: 'USD', available: String(rows[1]!.balance), reserved: '0.00' });
  const after = JSON.stringify({ currency: 'USD', available: String(balances[1]), reserved: '0.00', amount: '1.00' });
  const envelope = { eventId: commandId, eventType: 'balance.credited', payload: { before, after }, filler: FILLER };
  await run('emit', [to, JSON.stringify(envelope)]);
  const entry = { seq: 0n, occurredAt: '', action: 'BALANCE_CREDITED', resourceType: 'Balance', resourceId: to };
  const actor = {
    userId: null,
    actorType: 'api_key',
    actorId: 'key_bench',
    result: 'SUCCESS',
    correlationId: 'req_bench',
  };
  await run('audit', [
    to,
    before,
    after,
    auditHash('', { ...entry, ...actor, payloadBefore: before, payloadAfter: after }),
  ]);
  await client.query('commit');
};

/** Makes the envelope as long as one of balance.credited. */
const FILLER = 'x'.repeat(260);

export const openOneTransaction = async (
  server: Connection,
  cleanUp: AsyncDisposableStack,
): Promise<{ spread: Yardstick; hot: Yardstick }> => {
  const connection = await createDatabase(server, { name: 'one_transaction' });
  const clients = await openClients(connection, cleanUp);
  const pool = openPool(connection, { max: 1, onError: (error) => console.error(error) });
  await migrate({ pool });
  await pool.end();
  await runSql(connection, BOOKS);
  const user = (n: number): string => `user-${n}:available:USD`;
  const yardstick = (name: string, to: () => number): Yardstick => ({
    name: `one transaction per request, ${CLIENTS} connections, ${name}`,
    run: (seconds) =>
      driveClients(clients, {
        seconds,
        transact(client) {
          const target = to();
          return transfer(client, { to: user(target), from: user((target + 1 + below(ACCOUNTS - 1)) % ACCOUNTS) });
        },
      }),
  });
  return { spread: yardstick('spread', () => below(ACCOUNTS)), hot: yardstick('one account', () => 0) };
};
