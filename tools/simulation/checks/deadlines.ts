// Whether every deadline that was due was carried out exactly once: the row is DONE, with one event and one effect in the same commit; or
// the commit that made it pointless canceled it; or an operator holds it. Reminders likewise.

import type { Environment } from '../environment.ts';
import type { Any } from '../simulators.ts';
import type { Check } from './checks.ts';

/** Deadlines are carried out within moments; a server may be behind by the time of its start. */
const LATE_MS = 5_000;

const OVERDUE = `select d.id, d.order_id, d.kind, d.at::text as at, o.status, o.client_order_ref as tag, o.operation_id,
    (select array_agg(m.status order by m.place) from milestones m where m.marketplace_id = o.marketplace_id and m.order_id = o.id)
      as milestones
  from deadlines d join orders o on o.marketplace_id = d.marketplace_id and o.id = d.order_id
  where d.status = 'PENDING' and d.at < $1 order by d.id`;

/** Deadlines whose time was reached and that no server has carried out. */
export const overdueDeadlines = async ({ sql, deadlineClock }: Environment): Promise<string[]> => {
  const now = new Date(deadlineClock.now() - LATE_MS).toISOString();
  return (await sql(OVERDUE, [now])).map((row) => `overdue: ${JSON.stringify(row)}`);
};

/** What a deadline and its event have in common; a milestone, an order and a dispute can have several deadlines. */
const PASSED = `with rows as (
    select marketplace_id, order_id, kind, at, coalesce(milestone_ref, '') as ref, count(*)::int as rows from deadlines
      where status = 'DONE' and kind <> 'reminder' group by 1, 2, 3, 4, 5),
  told as (
    select marketplace_id, aggregate_id as order_id, payload ->> 'kind' as kind, (payload ->> 'at')::timestamptz as at,
      coalesce(payload ->> 'milestoneRef', '') as ref, count(*)::int as events
      from (select *, envelope::jsonb -> 'payload' as payload from events where event_type = 'order.deadline_passed') e
      group by 1, 2, 3, 4, 5)
  select order_id, kind, at, coalesce(rows, 0) as rows, coalesce(events, 0) as events
    from rows full join told using (marketplace_id, order_id, kind, at, ref) where rows is distinct from events`;

// A reminder that was sent moves in its row with its deadline, so an order whose deadline was moved has more events than rows.
const REMINDED = `with rows as (
    select marketplace_id, order_id, of_kind as kind, count(*)::int as rows from deadlines
      where status = 'DONE' and kind = 'reminder' group by 1, 2, 3),
  told as (
    select marketplace_id, aggregate_id as order_id, envelope::jsonb -> 'payload' ->> 'kind' as kind, count(*)::int as events
      from events where event_type = 'order.deadline_reminder' group by 1, 2, 3)
  select order_id, kind, coalesce(rows, 0) as rows, coalesce(events, 0) as events
    from rows full join told using (marketplace_id, order_id, kind) where rows is distinct from events
      and not (coalesce(rows, 0) < coalesce(events, 0) and exists (select from audit_entries a
        where a.marketplace_id = told.marketplace_id and a.resource_id = order_id
          and a.action in ('DEADLINE_EXTENDED', 'DEADLINE_RESTORED')))`;

/** The commit of a canceled deadline has an audit entry about the order, its users, its escrow or its dispute at the same time. */
const CANCELED = `select d.id, d.order_id, d.kind from deadlines d where d.status = 'CANCELED' and not exists (
    select from audit_entries a where a.marketplace_id = d.marketplace_id and a.occurred_at = d.updated_at)`;

const HELD = `select d.id, d.order_id, d.kind from deadlines d where d.status = 'HELD' and not exists (
    select from audit_entries a where a.marketplace_id = d.marketplace_id and a.resource_id = d.order_id
      and a.action = 'DEADLINE_HELD' and a.occurred_at <= d.updated_at)`;

/** The audit entry of what a deadline did, in the commit of its event. */
const EFFECTS: Readonly<Record<string, readonly string[]>> = {
  CANCEL: ['ORDER_CANCELED'],
  RELEASE: ['RELEASE_REQUESTED', 'DISPUTE_RESOLUTION_REQUESTED', 'MILESTONE_RELEASE_REQUESTED'],
  REFUND: ['DISPUTE_RESOLUTION_REQUESTED'],
  REMIND: [],
};

const DONE = `select a.resource_id as order_id, a.payload_after::jsonb ->> 'action' as action,
    (select coalesce(array_agg(b.action), '{}') from audit_entries b where b.marketplace_id = a.marketplace_id
      and b.occurred_at = a.occurred_at and b.correlation_id = a.correlation_id) as beside
  from audit_entries a where a.action = 'DEADLINE_PASSED'`;

const ALL_EFFECTS = Object.values(EFFECTS).flat();

const wrongEffects = async ({ sql }: Environment): Promise<string[]> =>
  (await sql(DONE)).flatMap(({ order_id: order, action, beside }: Any) => {
    const due = EFFECTS[action] ?? [];
    const effects = beside.filter((one: string) => ALL_EFFECTS.includes(one));
    const isRight = effects.length === Math.min(due.length, 1) && effects.every((one: string) => due.includes(one));
    return isRight ? [] : [`a deadline of ${order} passed with ${action} and did ${effects.join(', ') || 'nothing'}`];
  });

export const checkDeadlines: Check = async ({ environment }) => {
  const { sql } = environment;
  const differing = ({ order_id: order, kind, rows, events }: Any): string =>
    `${kind} of ${order}: ${rows} rows are DONE, and ${events} events say so`;
  return [
    ...(await overdueDeadlines(environment)),
    ...(await sql(PASSED)).map(differing),
    ...(await sql(REMINDED)).map((row) => `reminder of ${differing(row)}`),
    ...(await sql(CANCELED)).map(({ id, order_id: order }) => `${id} of ${order} was canceled by no commit`),
    ...(await sql(HELD)).map(({ id, order_id: order }) => `${id} of ${order} is held, and no operator held it`),
    ...(await wrongEffects(environment)),
  ];
};
