// The usual way to write such a service: each request is a transaction of its own, in the product's own tables but in a
// database of its own.

import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { auditHash } from '../server/src/commit/audit-hash.ts';
import { migrate } from '../server/src/commit/migrate.ts';
import { type Connection, openPool } from '../server/src/postgres/connection.ts';
import { below, CLIENTS, driveClients, openClients, type Yardstick } from './clients.ts';
import { createDatabase, runSql } from './databases.ts';

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
  post: `insert into postings select '${HOME}', u.id, u.seq, u.amount, u.balance, u.counter, 'credit', null, null, $6, 1, now()
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
  const commandId = randomUUID();
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
