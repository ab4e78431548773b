// The statements that fill the books of one large marketplace, its audit trail and its events. The postings are numbered without gaps and
// add up, so the proof holds. The hashes of the audit entries are not those of a chain: a chain can only be made entry by entry.

import { idOf, MARKETPLACE, type Step } from './fill-records.ts';
import {
  AUDITS_PER_ORDER,
  AUDITS_PER_USER,
  creditsOf,
  EVENTS_PER_ORDER,
  firstOrderWithEvents,
  type Sizes,
} from './sizes.ts';

const M = `'${MARKETPLACE}'`;
const FLOAT = 'payment-float:USD';
const OPERATOR = 'operator:adjustments:USD';
const UNIT = '10000000::bigint';

/** The accounts are numbered in slices of this many, so that no sort is larger than the slice. */
const SLICES = 16;

/** Both postings of each move; `moves` has the columns source, target, amount, move, reference, audit_seq, at. */
const bothSides = (moves: string): string => `insert into fill_sides
  select side.* from (${moves}) m cross join lateral (values
    (m.source, m.target, -m.amount, m.move, m.reference, m.audit_seq, m.at),
    (m.target, m.source, m.amount, m.move, m.reference, m.audit_seq, m.at)) side`;

const orderAudit = (sizes: Sizes, place: number): string =>
  `${sizes.users * AUDITS_PER_USER + creditsOf(sizes) + place} + o.n * ${AUDITS_PER_ORDER}`;

const CREDITED_AT = ({ orders, ...sizes }: Sizes): string =>
  `(select min(at) from fill_users) + interval '15 days'
    + interval '14 days' * (c.n::float8 / ${Math.max(1, creditsOf({ orders, ...sizes }))})`;

const FUNDED = `o.final is distinct from 'CANCELED' and o.status not in ('ORDER_CREATED', 'FUNDS_RESERVED', 'ESCROW_FUNDING')`;
const EACH = 'o.n >= $1 and o.n < $2';

/** Every posting has the time of its audit entry, as the committer writes it. */
const orderMoves = (sizes: Sizes): string =>
  bothSides(`
  select m.* from fill_orders o join fill_users b on b.n = o.buyer join fill_users s on s.n = o.seller
  cross join lateral (values
    (b.id || ':available:USD', b.id || ':reserved:USD', o.amount, 'reserve', o.id, ${orderAudit(sizes, 2)}, o.at,
      o.status <> 'ORDER_CREATED'),
    (b.id || ':reserved:USD', b.id || ':available:USD', o.amount, 'cancel_reservation', o.id, ${orderAudit(sizes, 5)}, o.at,
      o.final = 'CANCELED'),
    (b.id || ':reserved:USD', o.id || ':escrow:USD', o.amount, 'fund_escrow', o.id, ${orderAudit(sizes, 4)}, o.at,
      ${FUNDED}),
    (o.id || ':escrow:USD', s.id || ':available:USD', o.amount - o.amount / 20, 'pay_seller', o.id, ${orderAudit(sizes, 5)}, o.at,
      o.final in ('RELEASED', 'SPLIT')),
    (o.id || ':escrow:USD', 'platform:fees:USD', o.amount / 20, 'platform_fee', o.id, ${orderAudit(sizes, 5)}, o.at,
      o.final in ('RELEASED', 'SPLIT')),
    (o.id || ':escrow:USD', b.id || ':available:USD', o.amount, 'refund_buyer', o.id, ${orderAudit(sizes, 5)}, o.at,
      o.final = 'REFUNDED'),
    ('contract:' || o.id || ':USD', '${OPERATOR}', o.amount, 'contract_funding', o.id, ${orderAudit(sizes, 4)}, o.at,
      ${FUNDED} and o.n % 5 = 0),
    ('${OPERATOR}', 'contract:' || o.id || ':USD', o.amount, 'contract_payment', o.id, ${orderAudit(sizes, 5)}, o.at,
      ${FUNDED} and o.n % 5 = 0 and o.status = 'CLOSED')
  ) m (source, target, amount, move, reference, audit_seq, at, happened)
  where ${EACH} and m.happened`);

export const MOVES: readonly Step[] = [
  {
    name: 'moves of top-ups',
    rows: ({ users }) => users,
    sql: () =>
      bothSides(`select '${FLOAT}' as source, u.id || ':available:USD' as target,
        case when u.n = 0 then 100000000 * ${UNIT} else 1000 * ${UNIT} end as amount, 'topup' as move, null as reference,
        u.n * ${AUDITS_PER_USER} + 2 as audit_seq, u.at from fill_users u where u.n >= $1 and u.n < $2`),
  },
  {
    name: 'moves of credits',
    rows: creditsOf,
    sql: (sizes) =>
      bothSides(`select '${OPERATOR}' as source, u.id || ':available:USD' as target, ${UNIT} as amount, 'credit' as move,
        null as reference, ${sizes.users * AUDITS_PER_USER} + c.n + 1 as audit_seq, ${CREDITED_AT(sizes)} as at
      from generate_series($1::bigint, $2::bigint - 1) c (n) join fill_users u on u.n = c.n % ${sizes.users}`),
  },
  { name: 'moves of orders', rows: ({ orders }) => orders, sql: orderMoves },
];

/** Both read the moves, once for each slice of the accounts. */
export const ACCOUNTS: readonly Step[] = [
  {
    name: 'numbers and balances of postings',
    rows: () => SLICES,
    sql: () => `insert into fill_postings
      select account, row_number() over w, amount, sum(amount) over w, counter, move, reference, audit_seq, at
      from fill_sides where hashtext(account) & ${SLICES - 1} >= $1 and hashtext(account) & ${SLICES - 1} < $2
      window w as (partition by account order by at, audit_seq, move rows unbounded preceding)`,
  },
  {
    name: 'accounts',
    rows: () => SLICES,
    sql: () => `insert into accounts (marketplace_id, id, side, currency, user_id, open, balance, postings, touched_at)
      select ${M}, account, case when account ~ '^(contract|payment-float):' then 'holding' else 'claim' end, 'USD',
        case when account like 'usr\\_%' then split_part(account, ':', 1) end, account = '${OPERATOR}', sum(amount), count(*), max(at)
      from fill_sides where hashtext(account) & ${SLICES - 1} >= $1 and hashtext(account) & ${SLICES - 1} < $2 group by account`,
  },
];

export const POSTINGS: readonly Step[] = [
  {
    // In the order of time, as a marketplace writes them: the index of times has a range of times for each range of pages.
    name: 'postings',
    rows: () => 1,
    sql: () => `insert into postings (marketplace_id, account_id, seq, amount, balance_after, counter_account_id, move, reference,
        command_id, audit_seq, posted_at)
      select ${M}, account, seq, amount, after, counter, move, reference, lpad(audit_seq::text, 26, '0'), audit_seq, at
      from fill_postings where $1::bigint < $2::bigint order by audit_seq`,
  },
];

const audits = (
  entries: string,
): string => `insert into audit_entries (marketplace_id, seq, occurred_at, action, resource_type,
    resource_id, user_id, payload_before, payload_after, actor_type, actor_id, result, correlation_id, hash)
  select ${M}, e.seq, e.at, e.action, e.type, e.id, e.user_id, null, '{"amount": "10.00", "currency": "USD"}', 'api_key', 'key_bench',
    'SUCCESS', 'req_bench', md5(e.seq::text) from (${entries}) e (seq, at, action, type, id, user_id)`;

export const TRAIL: readonly Step[] = [
  {
    name: 'audit entries of users',
    rows: ({ users }) => users,
    sql: () =>
      audits(`select m.* from fill_users u cross join lateral (values
        (u.n * ${AUDITS_PER_USER} + 1, u.at, case when u.n = 3 then 'USER_SUSPENDED' else 'USER_CREATED' end, 'User', u.id, u.id),
        (u.n * ${AUDITS_PER_USER} + 2, u.at, 'TOPUP_SUCCEEDED', 'TopUp', ${idOf('top', 'u')}, u.id)) m
      where u.n >= $1 and u.n < $2`),
  },
  {
    name: 'audit entries of credits',
    rows: creditsOf,
    sql: (sizes) =>
      audits(`select ${sizes.users * AUDITS_PER_USER} + c.n + 1, ${CREDITED_AT(sizes)},
        case when c.n = 5 then 'RESERVATION_CANCELED' when c.n % 20000 = 7 then 'BALANCE_DEBITED' else 'BALANCE_CREDITED' end, 'Balance', u.id,
        null::text
      from generate_series($1::bigint, $2::bigint - 1) c (n) join fill_users u on u.n = c.n % ${sizes.users}`),
  },
  {
    name: 'audit entries of orders',
    rows: ({ orders }) => orders,
    sql: (sizes) =>
      audits(`select m.* from fill_orders o join fill_users b on b.n = o.buyer cross join lateral (values
        (${orderAudit(sizes, 1)}, o.at, 'ORDER_CREATED', 'Order', o.id, null::text),
        (${orderAudit(sizes, 2)}, o.at, 'BALANCE_RESERVED', 'Balance', b.id, null),
        (${orderAudit(sizes, 3)}, o.at, 'ESCROW_CREATED', 'Escrow', ${idOf('esc', 'o')}, null),
        (${orderAudit(sizes, 4)}, o.at, 'ESCROW_FUNDED', 'Escrow', ${idOf('esc', 'o')}, null),
        (${orderAudit(sizes, 5)}, o.at, 'ORDER_RELEASED', 'Order', o.id, null)) m where ${EACH}`),
  },
  {
    name: 'events of the last month',
    rows: (sizes) => sizes.orders - firstOrderWithEvents(sizes),
    sql: (
      sizes,
    ) => `insert into events (marketplace_id, position, occurred_at, event_type, aggregate_type, aggregate_id, envelope)
      select ${M}, (o.n - ${firstOrderWithEvents(sizes)}) * ${EVENTS_PER_ORDER} + k, o.at + k * interval '1 microsecond',
        (array['order.created', 'funds.reserved', 'escrow.created', 'escrow.funded'])[k], 'Order', o.id,
        json_build_object('eventId', 'evt_' || lpad((o.n * ${EVENTS_PER_ORDER} + k)::text, 26, '0'), 'aggregateId', o.id, 'payload', '{}'::json, 'filler',
          repeat('x', 400))::text
      from fill_orders o cross join generate_series(1, ${EVENTS_PER_ORDER}) k
      where o.n >= $1::bigint + ${firstOrderWithEvents(sizes)} and o.n < $2::bigint + ${firstOrderWithEvents(sizes)}`,
  },
];

/** The head names the last event and the last entry, so that the server continues after them. */
export const MOVE_HEAD = `insert into marketplaces (marketplace_id, event_position, event_at, audit_seq, audit_hash)
  select ${M}, coalesce((select max(position) from events), 0), coalesce((select max(occurred_at) from events), now()), a.seq, a.hash
  from audit_entries a where a.marketplace_id = ${M} order by a.seq desc limit 1
  on conflict (marketplace_id) do update set event_position = excluded.event_position, event_at = excluded.event_at,
    audit_seq = excluded.audit_seq, audit_hash = excluded.audit_hash`;
