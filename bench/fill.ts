// Fills the books with credits by set-based SQL, as if they had been posted one after the other: each with both its
// postings, gapless numbers and the balance after it, so that the proof holds afterwards. On request with their events
// and their audit entries, chained. No other process may write at the same time.

import pg from 'pg';
import { auditHash } from '../server/src/commit/audit-hash.ts';
import type { Connection } from '../server/src/postgres/connection.ts';
import { say } from '../tools/measure/options.ts';
import { MARKETPLACE } from './bank.ts';

const UNITS = 10_000_000;
const OPERATOR = 'operator:adjustments:USD';
const CREDITS_AT_ONCE = 100_000;
const AUDITS_AT_ONCE = 10_000;
const USER_BALANCE = `a.marketplace_id = '${MARKETPLACE}' and a.id like '%:available:USD'`;

// A copy of the balances with a number each, in which every credit finds its account by the credit's own number.
const NUMBER_USER_BALANCES = `create temp table userBalances as
  select (row_number() over (order by a.id) - 1)::int as n, a.id, a.user_id, a.balance, a.postings
  from accounts a where ${USER_BALANCE}`;

/**
 * $1 to $2: numbers of credits, from 0; $3: how many balances. Credit i is the (i / $3)th more of balance i % $3. Without audit entries of
 * their own ($4 is false) the credits of a user belong to one entry about the user. A search for the entries of a user reads postings until it
 * has found enough entries: with entries about others it would read every posting of the user, which no real marketplace makes it do.
 */
const POST = `with credits as (
    select i, p.id, p.postings + i / $3 + 1 as seq, p.balance + (i / $3 + 1) * ${UNITS} as after,
      o.postings + i + 1 as operator_seq, o.balance - (i + 1) * ${UNITS} as operator_after,
      o.audit_seq + 1 + case when $4::boolean then i else i % $3 end as audit_seq
    from generate_series($1::bigint, $2::bigint - 1) i
    join userBalances p on p.n = i % $3
    cross join operator o
  )
  insert into postings (marketplace_id, account_id, seq, amount, balance_after, counter_account_id, move, command_id, audit_seq, posted_at)
  select '${MARKETPLACE}', side.id, side.seq, side.amount, side.after, side.counter, 'credit', lpad(i::text, 26, '0'), c.audit_seq, now()
  from credits c cross join lateral (values
    ('${OPERATOR}', c.operator_seq, -${UNITS}, c.operator_after, c.id),
    (c.id, c.seq, ${UNITS}, c.after, '${OPERATOR}')
  ) side (id, seq, amount, after, counter)
  order by i`;

/** $1: credits; $2: balances. */
const SETTLE = `update accounts a set balance = a.balance + added.n * ${UNITS}, postings = a.postings + added.n,
    touched_at = now()
  from (select id, ($1::bigint - n + $2 - 1) / $2 as n from userBalances) added
  where a.marketplace_id = '${MARKETPLACE}' and a.id = added.id and added.n > 0`;
const SETTLE_OPERATOR = `update accounts set balance = balance - $1::bigint * ${UNITS}, postings = postings + $1::bigint,
    touched_at = now() where marketplace_id = '${MARKETPLACE}' and id = '${OPERATOR}'`;

const EMIT = `insert into events
  select m.marketplace_id, m.event_position + i + 1, m.event_at + (i + 1) * interval '1 microsecond', 'balance.credited',
    'Balance', p.user_id, json_build_object('eventId', 'evt_' || lpad(i::text, 26, '0'), 'eventType', 'balance.credited',
      'occurredAt', m.event_at, 'aggregateId', p.user_id, 'aggregateType', 'Balance', 'payload', json_build_object(
        'userId', p.user_id, 'amount', '1.00', 'currency', 'USD', 'source', 'manual', 'previousAvailableBalance', '0.00',
        'newAvailableBalance', '1.00'), 'metadata', json_build_object('correlationId', 'req_bench', 'marketplaceId',
        m.marketplace_id, 'position', m.event_position + i + 1, 'userId', p.user_id))::text
  from generate_series($1::bigint, $2::bigint - 1) i
  join userBalances p on p.n = i % $3
  join marketplaces m on m.marketplace_id = '${MARKETPLACE}'`;
const MOVE_EVENT_HEAD = `update marketplaces set event_position = event_position + $1::bigint,
  event_at = event_at + $1::bigint * interval '1 microsecond' where marketplace_id = '${MARKETPLACE}'`;

const AUDITED = { action: 'BALANCE_CREDITED', resourceType: 'Balance', userId: null, actorType: 'api_key' };
const BY = { actorId: 'key_bench', result: 'SUCCESS', correlationId: 'req_bench' };
const AUDIT = `insert into audit_entries
  select '${MARKETPLACE}', u.seq, $1, '${AUDITED.action}', '${AUDITED.resourceType}', u.user_id, null, $2, $3,
    '${AUDITED.actorType}', '${BY.actorId}', '${BY.result}', '${BY.correlationId}', u.hash
  from unnest($4::bigint[], $5::text[], $6::text[]) u (seq, user_id, hash)`;
const MOVE_AUDIT_HEAD = `update marketplaces set audit_seq = $1, audit_hash = $2 where marketplace_id = '${MARKETPLACE}'`;

const inChunks = async (
  { total, size }: { total: number; size: number },
  act: (from: number, to: number) => Promise<unknown>,
): Promise<void> => {
  for (let from = 0; from < total; from += size) await act(from, Math.min(total, from + size));
};

/** The chain can only be made one entry after the other, so it is made here. */
const audit = async (client: pg.Client, credits: number): Promise<void> => {
  const heads = await client.query('select audit_seq, audit_hash from marketplaces where marketplace_id = $1', [
    MARKETPLACE,
  ]);
  const { rows: userBalances } = await client.query<{ user_id: string }>('select user_id from userBalances order by n');
  let seq = BigInt(heads.rows[0].audit_seq);
  let chain = heads.rows[0].audit_hash as string;
  const occurredAt = new Date().toISOString().replace('Z', '000Z');
  const payloadBefore = JSON.stringify({ currency: 'USD', available: '0.00', reserved: '0.00' });
  const payloadAfter = JSON.stringify({
    currency: 'USD',
    available: '1.00',
    reserved: '0.00',
    amount: '1.00',
    reference: null,
  });
  await inChunks({ total: credits, size: AUDITS_AT_ONCE }, async (from, to) => {
    const seqs: bigint[] = [];
    const users: string[] = [];
    const hashes: string[] = [];
    for (let i = from; i < to; i++) {
      const resourceId = userBalances[i % userBalances.length]!.user_id;
      seq += 1n;
      chain = auditHash(chain, { ...AUDITED, ...BY, seq, occurredAt, resourceId, payloadBefore, payloadAfter });
      seqs.push(seq);
      users.push(resourceId);
      hashes.push(chain);
    }
    await client.query(AUDIT, [occurredAt, payloadBefore, payloadAfter, seqs, users, hashes]);
  });
  await client.query(MOVE_AUDIT_HEAD, [seq, chain]);
};

/** One order for ten postings, as in a large marketplace. Each is created and nothing more, so that it has no money. */
const ORDERS_SHARE = 10;
const ORDERS_AT_ONCE = 100_000;

/** $1 to $2: numbers of orders; $3: how many balances. Their ids come before those of orders that a command created. */
const ORDER = `insert into orders (marketplace_id, id, version, buyer_id, seller_id, amount, currency, title, metadata, platform_fee_bps,
    status, created_at, updated_at)
  select '${MARKETPLACE}', 'ord_00' || lpad(upper(to_hex(o.n)), 24, '0'), 1, b.user_id, s.user_id, ${UNITS}, 'USD', 'Order number ' || o.n,
    '{}', 500, 'ORDER_CREATED', o.at, o.at
  from (select n, now() - interval '365 days' + n * interval '1 second' as at from generate_series($1::bigint, $2::bigint - 1) n) o
  join userBalances b on b.n = o.n % $3 join userBalances s on s.n = (o.n + 1) % $3`;

const fillOrders = async (client: pg.Client, { postings, balances }: { postings: number; balances: number }) => {
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from orders where id < 'ord_01' and marketplace_id = $1`,
    [MARKETPLACE],
  );
  const known = Number(rows[0]!.count);
  const missing = Math.max(0, Math.floor(postings / ORDERS_SHARE) - known);
  await inChunks({ total: missing, size: ORDERS_AT_ONCE }, async (from, to) => {
    await client.query(ORDER, [known + from, known + to, balances]);
    say(`filled ${to} of ${missing} orders`);
  });
};

/** Checkpoints are of the books before the filling. */
const FORGET_CHECKPOINTS = `delete from proof_checkpoints where marketplace_id = '${MARKETPLACE}'`;

/** Adds credits until there are so many postings, and orders in proportion. Every user must have been credited before. */
export const fillPostings = async (
  connection: Connection,
  { postings, records }: { postings: number; records: boolean },
): Promise<void> => {
  const client = new pg.Client(connection as pg.ClientConfig);
  await client.connect();
  try {
    const { rows } = await client.query<{ count: string }>('select count(*) from postings');
    const credits = Math.max(0, Math.ceil((postings - Number(rows[0]!.count)) / 2));
    await client.query('begin');
    await client.query(NUMBER_USER_BALANCES);
    await client.query('analyze userBalances');
    await client.query(`create temp table operator as select a.balance, a.postings, m.audit_seq
      from accounts a join marketplaces m on m.marketplace_id = a.marketplace_id
      where a.marketplace_id = '${MARKETPLACE}' and a.id = '${OPERATOR}'`);
    const userBalances = Number((await client.query('select count(*) from userBalances')).rows[0].count);
    await inChunks({ total: credits, size: CREDITS_AT_ONCE }, async (from, to) => {
      await client.query(POST, [from, to, userBalances, records]);
      if (records) await client.query(EMIT, [from, to, userBalances]);
      say(`filled ${to} of ${credits} credits`);
    });
    await fillOrders(client, { postings, balances: userBalances });
    await client.query(FORGET_CHECKPOINTS);
    await client.query(SETTLE, [credits, userBalances]);
    await client.query(SETTLE_OPERATOR, [credits]);
    if (records) await client.query(MOVE_EVENT_HEAD, [credits]);
    await audit(client, records ? credits : Math.min(credits, userBalances));
    await client.query('commit');
    // Otherwise the measurement would pay for the filling's tidying up.
    for (const statement of ['vacuum analyze', 'checkpoint']) await client.query(statement);
  } finally {
    await client.end();
  }
};
