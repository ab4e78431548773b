// The checks of the simulation can fail: in an environment where all of them hold, one row at a time is falsified directly in the
// database, and its check reports it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHECKS, type CheckName, type SimulationState } from '../../tools/simulation/checks/checks.ts';
import { type PlanOptions, planOf, SHORT } from '../../tools/simulation/plan.ts';
import { runSeed } from '../../tools/simulation/run-seed.ts';

type Falsification = {
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

const one = (table: string, where: string, change: string): string =>
  `update ${table} set ${change} where ctid = (select ctid from ${table} where ${where} order by 1 limit 1)`;

const shift = (table: string, where: string, by: number): string =>
  `update ${table} set balance = balance + ${by} where (marketplace_id, id) =
    (select marketplace_id, id from ${table} where ${where} order by marketplace_id, id limit 1)`;

const POSTED = `(select marketplace_id, account_id, seq from postings order by 1, 2, 3 limit 1)`;
const SETTLED = `(select id from orders where final_status = 'RELEASED' order by id limit 1)`;

const PAID_OUT = `status = 'WITHDRAWAL_COMPLETED' and destination_type <> 'crypto'`;

const FALSIFICATIONS: readonly Falsification[] = [
  {
    check: 'books',
    what: 'an account that is not its postings',
    says: /accounts-equal-postings/,
    falsify: [shift('accounts', USER, 1)],
    restore: [shift('accounts', USER, -1)],
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
  // Last, because a reader of the stream may receive the event at its wrong position in between.
  {
    check: 'positions',
    what: 'an event that is missing',
    says: /gap/,
    falsify: ['update events set position = 1000000 where position = 3'],
    restore: ['update events set position = 3 where position = 1000000'],
  },
];

const OPTIONS: PlanOptions = { size: SHORT, processes: 1, crashes: false, databases: false };

/** A seed with faults, and with released orders below 200.00 and paid withdrawals whose rows can be falsified. */
const isRich = (seed: number): boolean => {
  const { steps } = planOf(seed, OPTIONS);
  const released = steps
    .flatMap(({ scenarios }) => scenarios)
    .filter((scenario) => scenario.kind === 'order' && scenario.ending === 'release' && scenario.cents < 20_000);
  const paidOut = steps
    .flatMap(({ scenarios }) => scenarios)
    .filter((scenario) => scenario.kind === 'withdrawal' && scenario.to !== 'crypto' && scenario.commit !== 'never')
    .filter((scenario) => scenario.cents < 20_000);
  return released.length >= 3 && paidOut.length >= 2 && steps.some(({ faults }) => faults.length > 2);
};

const checkFalsified = async (
  state: SimulationState,
  { check, what, says, falsify, restore }: Falsification,
): Promise<void> => {
  for (const statement of falsify) await state.environment.sql(statement);
  const found = await CHECKS[check].run(state);
  for (const statement of restore) await state.environment.sql(statement);
  assert.match(found.join('\n'), says, `${check} notices ${what}`);
  assert.deepEqual(await CHECKS[check].run(state), [], `${check} holds again after ${what}`);
};

test('a marketplace under faults passes every check, and each check reports its falsified row', async () => {
  const checked = new Set<CheckName>();
  const seed = Array.from({ length: 200 }, (_, at) => at).find(isRich);
  assert.ok(seed !== undefined);
  const { scenarios, checks, faults } = await runSeed(seed, {
    ...OPTIONS,
    async atEnd(state) {
      for (const falsification of FALSIFICATIONS) {
        await checkFalsified(state, falsification);
        checked.add(falsification.check);
      }
      // An unexpected answer: a table is missing for a moment.
      const { client } = state.environment.places[0]!;
      await state.environment.sql('alter table disputes rename to disputes_gone');
      await client.disputes
        .list({}, { maxRetries: 0 })
        .toArray({ max: 1 })
        .catch(() => null);
      await state.environment.sql('alter table disputes_gone rename to disputes');
      assert.match((await CHECKS.answers.run(state)).join('\n'), /unexpected internal error/);
      checked.add('answers');
    },
  });
  assert.deepEqual([...checked].sort(), Object.keys(CHECKS).sort());
  assert.ok(scenarios >= 15 && checks >= 18 && faults > 0, JSON.stringify({ scenarios, checks, faults }));
});
