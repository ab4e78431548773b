// Whether every order, top-up and withdrawal is in a state that its events explain: they are walked through the rows of its
// machine. A transition without an event may have happened at any time in between.

import type { Machine } from '../../../server/src/base/machine.ts';
import { ORDER_MACHINE } from '../../../server/src/modules/orders/machine.ts';
import { TOPUP_MACHINE } from '../../../server/src/modules/topups/machine.ts';
import { WITHDRAWAL_MACHINE } from '../../../server/src/modules/withdrawals/machine.ts';
import type { Environment } from '../environment.ts';
import type { Check } from './checks.ts';

/** A state, or a row of which some events have been told and others not yet. */
type Standing = { readonly state: string; readonly untold: readonly string[] };

type Rows = Machine<string, string>['rows'];

const keyOf = ({ state, untold }: Standing): string => [state, ...untold].join(' ');

/** With all that can be reached without a word. */
const closed = (rows: Rows, standings: readonly Standing[]): Standing[] => {
  const all = new Map(standings.map((standing) => [keyOf(standing), standing]));
  for (const { state, untold } of all.values()) {
    if (untold.length > 0) continue;
    for (const { from, to, emits = [] } of rows) {
      const next = { state: to, untold: [] };
      if (from === state && emits.length === 0) all.set(keyOf(next), next);
    }
  }
  return [...all.values()];
};

const told = (rows: Rows, { from, event }: { from: readonly Standing[]; event: string }): Standing[] =>
  from.flatMap(({ state, untold }): Standing[] => {
    if (untold.length > 0) return untold[0] === event ? [{ state, untold: untold.slice(1) }] : [];
    return rows
      .filter((row) => row.from === state && row.emits?.[0] === event)
      .map(({ to, emits = [] }) => ({ state: to, untold: emits.slice(1) }));
  });

/** The states that these events can have led to. */
export const explain = (
  machine: Machine<string, string>,
  of: { first: string; events: readonly string[] },
): string[] => {
  let standings = closed(machine.rows, [{ state: of.first, untold: [] }]);
  for (const event of of.events) {
    standings = closed(machine.rows, told(machine.rows, { from: standings, event }));
  }
  return [...new Set(standings.filter(({ untold }) => untold.length === 0).map(({ state }) => state))];
};

const KINDS = [
  { table: 'orders', aggregate: 'Order', machine: ORDER_MACHINE, first: 'ORDER_CREATED', made: 'order.created' },
  { table: 'topups', aggregate: 'TopUp', machine: TOPUP_MACHINE, first: 'TOPUP_CREATED', made: 'topup.created' },
  {
    table: 'withdrawals',
    aggregate: 'Withdrawal',
    machine: WITHDRAWAL_MACHINE,
    first: 'WITHDRAWAL_CREATED',
    made: 'withdrawal.created',
  },
] as const;

/** The events of single milestones and of deadlines do not change the state of their order. */
const unexplained = async (
  { sql }: Environment,
  { table, aggregate, machine, first, made }: (typeof KINDS)[number],
) => {
  const rows = await sql(
    `select t.id, t.status, coalesce(array_agg(e.event_type order by e.position)
        filter (where e.event_type is not null), '{}') as events
      from ${table} t left join events e on e.marketplace_id = t.marketplace_id and e.aggregate_id = t.id
        and e.aggregate_type = $1 and e.event_type !~ '^order\\.(milestone|deadline)_'
      group by t.marketplace_id, t.id, t.status`,
    [aggregate],
  );
  return rows.flatMap(({ id, status, events: [created, ...events] }) => {
    const states = created === made ? explain(machine as Machine<string, string>, { first, events }) : [];
    return states.includes(status)
      ? []
      : [`${id} is ${status}, but ${[created, ...events].join(', ')} lead to ${states.join(' or ') || 'nothing'}`];
  });
};

export const checkHistory: Check = async ({ environment }) =>
  (await Promise.all(KINDS.map((kind) => unexplained(environment, kind)))).flat();
