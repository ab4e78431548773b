// The falsified rows of the simulation's checks: for each, the statements that falsify it, what its check says, and the statements that
// put it right again.

import type { CheckName } from '../../tools/simulation/checks/checks.ts';

export type Falsification = {
  readonly check: CheckName;
  readonly what: string;
  readonly says: RegExp;
  readonly falsify: readonly string[];
  readonly restore: readonly string[];
};

/** Append-only tables refuse it otherwise. */
const behind = (table: string, statement: string): string[] => [
  `alter table ${table} disable trigger user`,
  statement,
  `alter table ${table} enable trigger user`,
];

const USER = `user_id is not null and id like '%:available:USD'`;
/** Of an order that has ended, also after its balance was shifted by one unit. */
const ESCROW = `id like 'ord\\_%:escrow:%' and balance <= 1`;

const one = (table: string, where: string, change: string): string =>
  `update ${table} set ${change} where ctid = (select ctid from ${table} where ${where} order by 1 limit 1)`;

const shift = (table: string, where: string, by: number): string =>
  `update ${table} set balance = balance + ${by} where (marketplace_id, id) =
    (select marketplace_id, id from ${table} where ${where} order by marketplace_id, id limit 1)`;

const POSTED = `(select marketplace_id, account_id, seq from postings order by 1, 2, 3 limit 1)`;
const POSTED_IN_PLACE = `(select marketplace_id, account_id, seq from postings where marketplace_id = 'mkt_sim1' order by 1, 2, 3 limit 1)`;
const SETTLED = `(select id from orders where final_status = 'RELEASED' order by id limit 1)`;

const PAID_OUT = `status = 'WITHDRAWAL_COMPLETED' and destination_type <> 'crypto'`;

/** An event at a position that no reader of the stream gets to. */
const eventLike = (type: string, { as = 'event_type', envelope = 'envelope', where = 'true' } = {}): string =>
  `insert into events (marketplace_id, position, occurred_at, event_type, aggregate_type, aggregate_id, envelope)
    select marketplace_id, -1, '2000-01-01', ${as}, aggregate_type, aggregate_id, ${envelope} from events
    where event_type = '${type}' and ${where} order by marketplace_id, position limit 1`;

/** Of an order whose deadlines an operator never moved: the check allows more reminders of the others. */
const REMINDER = {
  as: `'order.deadline_reminder'`,
  envelope: `'{"payload":{"kind":"auto_release"}}'`,
  where: `not exists (select from audit_entries a where a.marketplace_id = events.marketplace_id
    and a.resource_id = events.aggregate_id and a.action in ('DEADLINE_EXTENDED', 'DEADLINE_RESTORED'))`,
};

const EFFECTS = `('ORDER_CANCELED', 'RELEASE_REQUESTED', 'DISPUTE_RESOLUTION_REQUESTED', 'MILESTONE_RELEASE_REQUESTED')`;

/** Of an order of the plan: the check knows no fee of other orders. */
const FEE = `(select x.marketplace_id, x.account_id, x.seq from postings x join orders o on o.marketplace_id = x.marketplace_id
  and o.id = x.reference where x.move = 'platform_fee' and x.amount > 0 and o.client_order_ref ~ '^s\\d+-\\d+-\\d+$'
  order by 1, 2, 3 limit 1)`;

const BY_REQUESTS = `envelope like '%"correlationId":"real-%'`;

/** A request and its dry run have the same id after `real-` and `dry-`. */
const rename = (column: string, { from, to }: { from: string; to: string }): string => {
  const [table, name] = column.split('.');
  return `update ${table} set ${name} = replace(${name}, '${from}', '${to}') where ${name} like '%${from}%'`;
};

export const FALSIFICATIONS: readonly Falsification[] = [
  {
    check: 'books',
    what: 'an account that is not its postings',
    says: /accounts-equal-postings/,
    falsify: [shift('accounts', USER, 1)],
    restore: [shift('accounts', USER, -1)],
  },
  {
    check: 'books',
    what: 'money of an order whose escrow has ended',
    says: /without escrow/,
    falsify: [shift('accounts', ESCROW, 1)],
    restore: [shift('accounts', ESCROW, -1)],
  },
  {
    check: 'books',
    what: 'a balance entry whose posting has another move',
    says: /odd move/,
    falsify: behind('postings', one('postings', `move = 'pay_seller' and account_id like 'usr%'`, `move = 'odd'`)),
    restore: behind('postings', `update postings set move = 'pay_seller' where move = 'odd'`),
  },
  {
    check: 'books',
    what: 'a posting without its counterpart',
    says: /postings-sum-to-zero|lopsided/,
    falsify: behind(
      'postings',
      `update postings set amount = amount + 1 where (marketplace_id, account_id, seq) = ${POSTED}`,
    ),
    restore: behind(
      'postings',
      `update postings set amount = amount - 1 where (marketplace_id, account_id, seq) = ${POSTED}`,
    ),
  },
  {
    check: 'journal',
    what: 'a posting that the export shows with another amount',
    says: /jsonl: .* here, .* there/,
    falsify: behind(
      'postings',
      `update postings set amount = amount + 1 where (marketplace_id, account_id, seq) = ${POSTED_IN_PLACE}`,
    ),
    restore: behind(
      'postings',
      `update postings set amount = amount - 1 where (marketplace_id, account_id, seq) = ${POSTED_IN_PLACE}`,
    ),
  },
  {
    check: 'effects',
    what: 'a balance without an acknowledged change',
    says: /should have/,
    falsify: [shift('accounts', USER, 100_000)],
    restore: [shift('accounts', USER, -100_000)],
  },
  {
    check: 'ledger',
    what: 'a wallet with other money than on the ledger',
    says: /on the ledger/,
    falsify: [shift('accounts', `id like 'wallet:%'`, -1)],
    restore: [shift('accounts', `id like 'wallet:%'`, 1)],
  },
  {
    check: 'history',
    what: 'an order in a state that nothing led to',
    says: /lead to CLOSED/,
    falsify: [`update orders set status = 'IN_PROGRESS', final_status = null where id = ${SETTLED}`],
    restore: [
      `update orders set status = 'CLOSED', final_status = 'RELEASED' where status = 'IN_PROGRESS' and exists (
        select from events e where e.aggregate_id = orders.id and e.event_type = 'order.closed')`,
    ],
  },
  {
    check: 'effects',
    what: 'an acknowledged release that is a refund',
    says: /acknowledged, but it ended as/,
    falsify: [`update orders set final_status = 'REFUNDED', title = 'falsified' where id = ${SETTLED}`],
    restore: [`update orders set final_status = 'RELEASED' where title = 'falsified'`],
  },
  {
    check: 'stream',
    what: 'an event that its readers did not hear',
    says: /was written/,
    falsify: [`update events set envelope = replace(envelope, '"evt_', '"evt_other_') where position = 4`],
    restore: [`update events set envelope = replace(envelope, '"evt_other_', '"evt_') where position = 4`],
  },
  {
    check: 'audit',
    what: 'an entry of the audit that was rewritten',
    says: /broken at 2/,
    falsify: behind('audit_entries', `update audit_entries set actor_id = actor_id || 'x' where seq = 2`),
    restore: behind('audit_entries', `update audit_entries set actor_id = left(actor_id, -1) where seq = 2`),
  },
  {
    check: 'rest',
    what: 'an operation that is still running',
    says: /is RUNNING/,
    // Not before tomorrow, so that no server resumes it.
    falsify: [
      one('operations', `state = 'DONE'`, `state = 'RUNNING', next_attempt_at = next_attempt_at + interval '1 day'`),
    ],
    restore: [`update operations set state = 'DONE' where state = 'RUNNING'`],
  },
  {
    check: 'breaks',
    what: 'a break that was opened and resolved',
    says: /a break was opened/,
    falsify: [
      `insert into breaks (marketplace_id, kind, subject, expected, actual, difference, first_seen_at, last_seen_at, resolved_at)
        values ('mkt_sim1', 'payment-float', 'falsified', '1', '2', '1', now(), now(), now())`,
    ],
    restore: [`delete from breaks where subject = 'falsified'`],
  },
  {
    check: 'alerts',
    what: 'a payout over another amount without an alert',
    says: /no alert payout-amount/,
    falsify: [one('withdrawals', PAID_OUT, 'amount = amount + 1, paid = paid + 1')],
    restore: ['update withdrawals set amount = amount - 1, paid = paid - 1 where amount % 100000 = 1'],
  },
  {
    check: 'proof',
    what: 'a reservation with another remaining amount',
    says: /reserved-equals-reservations/,
    falsify: [one('reservations', 'amount > 0 and remaining = 0', 'remaining = 1, locked = true')],
    restore: ['update reservations set remaining = 0, locked = false where remaining = 1'],
  },
  {
    check: 'deadlines',
    what: 'a deadline that passed twice',
    says: /1 rows are DONE, and 2 events say so/,
    falsify: [eventLike('order.deadline_passed')],
    restore: ['delete from events where position = -1'],
  },
  {
    check: 'deadlines',
    what: 'a reminder that was sent once more',
    says: /reminder of .* events say so/,
    falsify: [eventLike('order.created', REMINDER)],
    restore: ['delete from events where position = -1'],
  },
  {
    check: 'deadlines',
    what: 'a deadline that is held by no operator',
    says: /no operator held it/,
    falsify: [one('deadlines', `status = 'CANCELED'`, `status = 'HELD', updated_at = '2000-01-01'`)],
    restore: [
      `update deadlines d set status = 'CANCELED', updated_at = (select occurred_at from audit_entries a
        where a.marketplace_id = d.marketplace_id limit 1) where updated_at = '2000-01-01'`,
    ],
  },
  {
    check: 'deadlines',
    what: 'a deadline that did nothing',
    says: /passed with \w+ and did nothing/,
    falsify: behind('audit_entries', `update audit_entries set action = 'X-' || action where action in ${EFFECTS}`),
    restore: behind('audit_entries', `update audit_entries set action = substr(action, 3) where action like 'X-%'`),
  },
  {
    check: 'fees',
    what: 'a fee that is wrong by one unit',
    says: /the fee is \d+, and should be \d+/,
    falsify: behind(
      'postings',
      `update postings set amount = amount + 1 where (marketplace_id, account_id, seq) = ${FEE}`,
    ),
    restore: behind(
      'postings',
      `update postings set amount = amount - 1 where (marketplace_id, account_id, seq) = ${FEE}`,
    ),
  },
  {
    check: 'parts',
    what: 'a release that is shown as a split',
    says: /the seller's part is \d+, and \d+ were posted/,
    falsify: [`update orders set final_status = 'SPLIT', title = 'falsified' where id = ${SETTLED}`],
    restore: [`update orders set final_status = 'RELEASED' where title = 'falsified'`],
  },
  {
    check: 'previews',
    what: 'a dry run that announced other events',
    says: /its events were to be/,
    falsify: [`update events set event_type = 'other.' || event_type where ${BY_REQUESTS}`],
    restore: [`update events set event_type = substr(event_type, 7) where event_type like 'other.%'`],
  },
  {
    check: 'previews',
    what: 'a dry run that announced other postings',
    says: /its postings were to be/,
    falsify: behind('postings', 'update postings set amount = amount * 2'),
    restore: behind('postings', 'update postings set amount = amount / 2'),
  },
  {
    check: 'previews',
    what: 'a dry run that left an audit entry',
    says: /the dry run left an audit entry/,
    falsify: behind('audit_entries', rename('audit_entries.correlation_id', { from: 'real-', to: 'dry-' })),
    restore: behind('audit_entries', rename('audit_entries.correlation_id', { from: 'dry-', to: 'real-' })),
  },
  {
    check: 'previews',
    what: 'a dry run that left an event',
    says: /the dry run left an event/,
    falsify: [rename('events.envelope', { from: '"correlationId":"real-', to: '"correlationId":"dry-' })],
    restore: [rename('events.envelope', { from: '"correlationId":"dry-', to: '"correlationId":"real-' })],
  },
  // Last, because a reader of the stream may receive the event at its wrong position in between.
  {
    check: 'positions',
    what: 'an event that is missing',
    says: /gap/,
    falsify: ['update events set position = 1000000 where position = 3'],
    restore: ['update events set position = 3 where position = 1000000'],
  },
];
