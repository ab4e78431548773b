// The statements that fill the tables of one large marketplace except its books: users, wallets, orders and everything about them. Each
// runs for a slice of numbers, from $1 to below $2. The shares of states are those of a marketplace in use: almost every order is closed,
// and some states have a handful of old rows.

import type { Sizes } from './sizes.ts';

export type Step = {
  readonly name: string;
  rows(sizes: Sizes): number;
  /** Of the numbers from $1 to below $2. */
  sql(sizes: Sizes): string;
};

export const MARKETPLACE = 'mkt_default';
const M = `'${MARKETPLACE}'`;
const UNIT = 10_000_000;
const YEAR_DAYS = 365;
/** Users and credits come first, so that every posting of an order is later than the money that it moves. */
const ORDERS_FROM_DAY = 30;

/** The time of an id. The aggregate is slow, so it is taken once for each user and each order. */
const TIME_OF_ID = `(select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
    (((extract(epoch from at) * 1000)::bigint >> (5 * d)) & 31)::int + 1, 1), '' order by d desc) from generate_series(0, 9) d)`;

/** An id with the time of a user or an order; a number takes the place of the random part. */
export const idOf = (prefix: string, of: 'o' | 'u' | 'e', number = `${of}.n`): string =>
  `('${prefix}_' || ${of}.id_time || lpad((${number})::text, 16, '0'))`;

/** Helpers of the filling, dropped afterwards. */
export const PREPARE = [
  'create unlogged table fill_users (n bigint, id_time text, id text, wallet_id text, address text, at timestamptz)',
  `create unlogged table fill_orders (n bigint, id_time text, id text, buyer bigint, seller bigint, amount bigint, status text, final text,
    disputed boolean, at timestamptz, ended timestamptz)`,
  `create unlogged table fill_sides (account text, counter text, amount bigint, move text, reference text, audit_seq bigint,
    at timestamptz)`,
  `create unlogged table fill_postings (account text, seq bigint, amount bigint, after bigint, counter text, move text, reference text,
    audit_seq bigint, at timestamptz)`,
];

export const INDEX_HELPERS = [
  'create index on fill_users (n)',
  'create index on fill_orders (n)',
  'analyze fill_users',
  'analyze fill_orders',
];

const START = `(now() - interval '${YEAR_DAYS} days')`;

/** Who sells more than all others. */
export const BUSY_SELLER = 7;

/**
 * The parties, the amount, the state and the end of each order. Every fiftieth is of one buyer, who has more than all others, and every
 * fiftieth is of one seller.
 */
const ORDER_HELPERS = ({ users, orders }: Sizes): string => `insert into fill_orders
  select o.n, o.id_time, ${idOf('ord', 'o')}, o.buyer, case when o.n % 50 = 25 and o.buyer <> ${BUSY_SELLER} then ${BUSY_SELLER}
      else (o.buyer + 1 + (o.n * 7919) % ${users - 1}) % ${users} end, (1 + o.n % 50) * ${UNIT},
    o.status, case when o.status = 'CLOSED' then
      case when o.n % 100 < 3 then 'CANCELED' when o.n % 100 = 3 then 'REFUNDED' when o.n % 1000 = 4 then 'SPLIT' else 'RELEASED' end end,
    o.n % 100 = 3 or o.n % 1000 = 4 or o.status = 'DISPUTED', o.at, o.ended
  from (select o.*, ${TIME_OF_ID} as id_time, case when o.n < 3 then 'REFUND_REQUESTED' when o.n % 10000 = 77 then 'DISPUTED'
      when o.n % 5000 = 50 then 'ESCROW_FUNDING' when o.n % 2000 = 60 then 'IN_PROGRESS'
      when o.ended <= now() then 'CLOSED' when o.n % 10 = 0 then 'ORDER_CREATED'
      when o.n % 10 = 1 then 'FUNDS_RESERVED' else 'IN_PROGRESS' end as status
    from (select n, case when n % 50 = 0 then 0 else (n * 104729) % ${users} end as buyer, at,
        at + interval '1 hour' * (1 + n % 72) as ended
      from generate_series($1::bigint, $2::bigint - 1) n,
      lateral (select ${START} + interval '${ORDERS_FROM_DAY} days'
        + interval '${YEAR_DAYS - ORDERS_FROM_DAY} days' * (n::float8 / ${orders}) as at) t) o) o`;

const USER_HELPERS = ({ users }: Sizes): string => `insert into fill_users
  select u.n, u.id_time, ${idOf('usr', 'u')}, ${idOf('wal', 'u')}, 'G' || upper(md5(u.n::text)) || lpad(u.n::text, 23, '0'), u.at
  from (select n, at, ${TIME_OF_ID} as id_time from generate_series($1::bigint, $2::bigint - 1) n,
    lateral (select ${START} + interval '15 days' * (n::float8 / ${users}) as at) t) u`;

const EACH_USER = 'from fill_users u where u.n >= $1 and u.n < $2';
const EACH_ORDER = `from fill_orders o join fill_users b on b.n = o.buyer join fill_users s on s.n = o.seller
  where o.n >= $1 and o.n < $2`;
/** Orders with an escrow. */
const ESCROWED = `${EACH_ORDER} and o.status not in ('ORDER_CREATED', 'FUNDS_RESERVED') and o.final is distinct from 'CANCELED'`;
const ENDED_AT = 'least(o.ended, now())';
const STATUS_OF_ESCROW = `case when o.status = 'CLOSED' then case o.final when 'REFUNDED' then 'REFUNDED' else 'RELEASED' end
  when o.status = 'DISPUTED' then 'DISPUTED' when o.status = 'ESCROW_FUNDING' then 'CREATED' else 'FUNDED' end`;
const PARTY = (user: string): string => `jsonb_build_object('walletId', ${user}.wallet_id, 'address', ${user}.address)`;
const CONTRACT = `'C' || upper(md5(o.id)) || lpad(o.n::text, 23, '0')`;
const OPERATION = (kind: string, of: { at: string; n: string; state?: string }): string => `insert into operations
    (marketplace_id, id, version, kind, order_id, escrow_id, dispute_id, state, step, attempts, ask, wallet_id, currency, amount, failure,
     next_attempt_at, created_at, updated_at)
  select ${M}, ${idOf('opn', 'o', of.n)}, 1, ${kind}, o.id, ${idOf('esc', 'o')}, null, ${of.state ?? `'DONE'`}, null, 0,
    '{"actor": {"type": "api_key", "id": "key_bench"}, "requestId": "req_bench"}', b.wallet_id, 'USD', o.amount, null, 'infinity',
    ${of.at}, ${of.at} ${ESCROWED}`;

const users = ({ users }: Sizes): number => users;
const orders = ({ orders }: Sizes): number => orders;

export const RECORDS: readonly Step[] = [
  { name: 'who the users are', rows: users, sql: USER_HELPERS },
  { name: 'what the orders are', rows: orders, sql: ORDER_HELPERS },
];

/** As many as a marketplace may have. */
const WEBHOOK_ENDPOINTS = 20;
const POLICY_VERSIONS = 200;
const STATEMENTS = 100;
const STATEMENT_LINES = 1_000;
const OPERATORS = 500;

export const TABLES: readonly Step[] = [
  {
    name: 'users',
    rows: users,
    sql: () => `insert into users (marketplace_id, id, version, external_user_id, email, type, status, metadata, created_at, updated_at,
        ledger_address, ledger_linked_at)
      select ${M}, u.id, 1, 'user-' || u.n, case when u.n % 5 > 0 then 'person' || u.n || '@example.com' end,
        case when u.n = 17 then 'SELLER' when u.n % 4 = 0 then 'BUYER' else 'BOTH' end,
        case when u.n in (3, 11) then 'SUSPENDED' else 'ACTIVE' end, '{}', u.at, u.at, u.address, u.at ${EACH_USER}`,
  },
  {
    name: 'wallets',
    rows: users,
    sql: () => `insert into wallets (marketplace_id, id, version, owner, user_id, address, type, sealed_secret, status, is_primary,
        payments_cursor, created_at, updated_at)
      select ${M}, u.wallet_id, 1, 'user', u.id, u.address, 'INVISIBLE', 'v1.1.' || repeat(md5(u.id), 4), 'PENDING', true, '0', u.at, u.at
      ${EACH_USER}`,
  },
  {
    name: 'top-ups',
    rows: users,
    sql: () => `insert into topups (marketplace_id, id, version, user_id, amount, currency, status, provider_payin_id, fee, created_at,
        updated_at, next_look_at)
      select ${M}, ${idOf('top', 'u')}, 1, u.id, ${UNIT} * 1000::bigint, 'USD',
        case when u.n % 50 = 7 then 'TOPUP_FAILED' when u.n = 9 then 'TOPUP_PROCESSING' else 'TOPUP_SUCCEEDED' end, 'pay_' || u.n,
        case when u.n % 50 <> 7 and u.n <> 9 then 0 end, u.at, u.at, 'infinity' ${EACH_USER}`,
  },
  {
    name: 'withdrawals',
    rows: users,
    sql: () => `insert into withdrawals (marketplace_id, id, version, user_id, amount, currency, status, destination_type, email, paid,
        completed_at, created_at, updated_at, next_look_at)
      select ${M}, ${idOf('wdr', 'u')}, 1, u.id, ${UNIT}, 'USD', case when u.n = 13 then 'WITHDRAWAL_FAILED'
          when u.n % 40 = 5 then 'WITHDRAWAL_CANCELED' else 'WITHDRAWAL_COMPLETED' end, 'payment_account', 'person@example.com',
        case when u.n = 13 or u.n % 40 = 5 then 0 else ${UNIT} end, case when u.n <> 13 and u.n % 40 <> 5 then u.at end, u.at, u.at, 'infinity'
      ${EACH_USER} and u.n % 2 = 1`,
  },
  {
    name: 'webhook endpoints',
    rows: users,
    sql: () => `insert into webhook_endpoints (marketplace_id, id, version, state, url, events, is_enabled, disabled_reason, payload,
        signature, sealed_secret, created_at, updated_at)
      select ${M}, ${idOf('whe', 'u')}, 1, 'live', 'https://shop.example/' || u.n, array['user.*'], false, 'REQUESTED', 'full', 'v1', 'v1.1.x',
        u.at, u.at ${EACH_USER} and u.n < ${WEBHOOK_ENDPOINTS}`,
  },
  {
    name: 'policies',
    rows: users,
    sql: () => `insert into policies (marketplace_id, id, version, name, policy_version, rules, created_at)
      select ${M}, ${idOf('pol', 'u')}, 1, 'standard', u.n + 1, '{}', u.at ${EACH_USER} and u.n < ${POLICY_VERSIONS}`,
  },
  {
    name: 'operators',
    rows: users,
    sql: () => `insert into operators (marketplace_id, id, version, email, email_key, name, role, is_everywhere, state, status, totp_step,
        recovery_hashes, created_at, updated_at)
      select ${M}, ${idOf('opr', 'u')}, 1, 'op' || u.n || '@shop.example', 'op' || u.n || '@shop.example', 'Operator ' || u.n,
        case when u.n = 7 then 'admin' else 'viewer' end, false, 'live', case when u.n = 11 then 'DISABLED' else 'ACTIVE' end, 0, '{}', u.at,
        u.at ${EACH_USER} and u.n < ${OPERATORS}`,
  },
  {
    name: 'approvals',
    rows: users,
    sql: () => `insert into approvals (marketplace_id, id, version, action, status, requester, requested_by, request, expires_at, decided_at,
        created_at, updated_at)
      select ${M}, ${idOf('apr', 'u')}, 1, 'balance.credit', case when u.n % 100 = 7 then 'EXPIRED' else 'CANCELED' end, 'api_key:fill',
        '{"type":"api_key","id":"key-of-the-fill","name":"fill"}',
        '{"method":"POST","path":"/users/:userId/balance/credit","params":{},"query":{},"body":{},"kept":null}', u.at, u.at, u.at, u.at ${EACH_USER}`,
  },
  {
    name: 'corrections',
    rows: users,
    sql: () => `insert into corrections (marketplace_id, id, version, kind, resource_id, reason, before, after, by, created_at)
      select ${M}, ${idOf('cor', 'u')}, 1, 'credit-late-topup', ${idOf('top', 'u')}, 'it was paid after its end', '{}', '{}',
        '{"type":"api_key","id":"key-of-the-fill","name":"fill"}', u.at ${EACH_USER}`,
  },
  {
    name: 'notes',
    rows: users,
    sql: () => `insert into notes (marketplace_id, id, version, resource_type, resource_id, text, author, created_at)
      select ${M}, ${idOf('nte', 'u')}, 1, 'user', u.id, 'Note number ' || u.n, '{"type":"api_key","id":"key-of-the-fill","name":"fill"}', u.at
        ${EACH_USER}`,
  },
  {
    name: 'provider statements',
    rows: users,
    sql: () => `insert into provider_statements (marketplace_id, id, version, system, file_name, sha256, request_hash, size_bytes, lines, from_at,
        to_at, tolerance_minutes, columns, author, created_at)
      select ${M}, ${idOf('pst', 'u')}, 1, case when u.n % 10 = 7 then 'ledger-network' else 'payment-provider' end, 'day.csv', 'x', 'x' || u.n,
        1, ${STATEMENT_LINES}, u.at - interval '1 day', u.at, 60, '{}', '{"type":"api_key","id":"key-of-the-fill","name":"fill"}', u.at
      ${EACH_USER} and u.n < ${STATEMENTS}`,
  },
  {
    name: 'lines of provider statements',
    rows: users,
    sql: () => `insert into provider_statement_lines (marketplace_id, id, version, statement_id, number, at, reference, amount, currency)
      select ${M}, ${idOf('pst', 'u')} || '-' || p, 1, ${idOf('pst', 'u')}, p, u.at, 'pay_' || (u.n + p), ${UNIT} * 1000::bigint, 'USD'
      from fill_users u cross join generate_series(2, ${STATEMENT_LINES} + 1) p where u.n >= $1 and u.n < $2 and u.n < ${STATEMENTS}`,
  },
  {
    name: 'webhook deliveries',
    rows: users,
    sql: () => `insert into webhook_deliveries (marketplace_id, id, version, endpoint_id, event_id, event_type, aggregate_id, position, status,
        attempts, attempt_count, tries, last_status, last_duration_ms, delivered_at, created_at, updated_at)
      select ${M}, ${idOf('whd', 'u')}, 1, ${idOf('whe', 'e')}, ${idOf('evt', 'u')}, 'user.created', u.id, u.n + 1,
        case when u.n % 100 = 7 then 'FAILED' else 'DELIVERED' end, '[]', 1, 1, 200, 10, case when u.n % 100 <> 7 then u.at end, u.at, u.at
      from fill_users u join fill_users e on e.n = u.n % ${WEBHOOK_ENDPOINTS} where u.n >= $1 and u.n < $2`,
  },
  {
    name: 'orders',
    rows: orders,
    sql: () => `insert into orders (marketplace_id, id, version, buyer_id, seller_id, amount, currency, title, client_order_ref, metadata,
        platform_fee_bps, status, final_status, escrow_id, dispute_id, operation_id, created_at, updated_at)
      select ${M}, o.id, 1, b.id, s.id, o.amount, 'USD', 'Order number ' || o.n, 'cart-' || o.n, '{}', 500, o.status, o.final,
        case when o.status not in ('ORDER_CREATED', 'FUNDS_RESERVED') and o.final is distinct from 'CANCELED' then ${idOf('esc', 'o')} end,
        case when o.disputed then ${idOf('dsp', 'o')} end,
        case when o.status = 'REFUND_REQUESTED' then ${idOf('opn', 'o', '3 * o.n + 2')} end, o.at, ${ENDED_AT} ${EACH_ORDER}`,
  },
  {
    name: 'milestones',
    rows: orders,
    sql: () => `insert into milestones (marketplace_id, id, version, order_id, place, ref, title, amount, status, completed_at)
      select ${M}, o.id || ':' || p, 1, o.id, p, 'm' || p, 'Part ' || p, o.amount / 2, 'OPEN', null
      from fill_orders o cross join generate_series(0, 1) p where o.n >= $1 and o.n < $2 and o.n % 10 = 5`,
  },
  {
    name: 'reservations',
    rows: orders,
    sql: () => `insert into reservations (marketplace_id, id, version, user_id, currency, order_ref, amount, remaining, opened_at, updated_at)
      select ${M}, b.id || ':USD:' || o.id, 1, b.id, 'USD', o.id, o.amount,
        case when o.status in ('FUNDS_RESERVED', 'ESCROW_FUNDING') then o.amount else 0 end, o.at, o.at ${EACH_ORDER}
        and o.status <> 'ORDER_CREATED'`,
  },
  {
    name: 'escrows',
    rows: orders,
    sql: () => `insert into escrows (marketplace_id, id, version, order_id, status, amount, currency, contract_type, provider_contract_id,
        buyer, seller, platform, platform_fee_bps, calls, set_aside, funded_at, created_at, updated_at)
      select ${M}, ${idOf('esc', 'o')}, 1, o.id, ${STATUS_OF_ESCROW}, o.amount, 'USD', 'single-release', ${CONTRACT}, ${PARTY('b')},
        ${PARTY('s')}, ${PARTY('b')}, 500, '[{"call": "deploy", "milestone": null}, {"call": "fund", "milestone": null}]', false, o.at, o.at,
        ${ENDED_AT} ${ESCROWED}`,
  },
  {
    name: 'disputes',
    rows: orders,
    sql: () => `insert into disputes (marketplace_id, id, version, order_id, opened_by, reason, status, resolution_decision, resolved_at,
        created_at, updated_at)
      select ${M}, ${idOf('dsp', 'o')}, 1, o.id, case when o.n = 103 then 'SELLER' else 'BUYER' end, 'QUALITY_ISSUE',
        case when o.status = 'CLOSED' then 'RESOLVED' else 'OPEN' end, case when o.status = 'CLOSED' then 'FULL_REFUND' end,
        case when o.status = 'CLOSED' then ${ENDED_AT} end, o.at, ${ENDED_AT} ${EACH_ORDER} and o.disputed`,
  },
  {
    name: 'evidence',
    rows: orders,
    sql: () => `insert into evidence (marketplace_id, id, version, dispute_id, file_name, content_type, size_bytes, sha256, submitted_by, author,
        created_at)
      select ${M}, ${idOf('evd', 'o')}, 1, ${idOf('dsp', 'o')}, 'parcel.jpg', 'image/jpeg', 1, 'x', 'BUYER',
        '{"type":"api_key","id":"key-of-the-fill","name":"fill"}', o.at ${EACH_ORDER} and o.disputed`,
  },
  {
    name: 'contents of evidence',
    rows: orders,
    sql: () => `insert into evidence_contents (marketplace_id, id, version, content)
      select ${M}, ${idOf('evd', 'o')}, 1, '\\x00' ${EACH_ORDER} and o.disputed`,
  },
  {
    name: 'messages',
    rows: orders,
    sql: () => `insert into dispute_messages (marketplace_id, id, version, dispute_id, sender, text, author, created_at)
      select ${M}, ${idOf('msg', 'o')}, 1, ${idOf('dsp', 'o')}, 'BUYER', 'Message number ' || o.n,
        '{"type":"api_key","id":"key-of-the-fill","name":"fill"}', o.at ${EACH_ORDER} and o.disputed`,
  },
  {
    name: 'operations that create escrows',
    rows: orders,
    sql: () => OPERATION(`'create-escrow'`, { at: 'o.at', n: '3 * o.n' }),
  },
  {
    name: 'operations that end orders',
    rows: orders,
    sql: () =>
      OPERATION(
        `case when o.status = 'REFUND_REQUESTED' then 'refund' when o.n = 4 then 'resolve-dispute' else 'release' end`,
        {
          at: `(o.at + interval '10 minutes')`,
          n: '3 * o.n + 2',
          state: `case when o.status = 'REFUND_REQUESTED' then 'RUNNING' else 'DONE' end`,
        },
      ),
  },
];
