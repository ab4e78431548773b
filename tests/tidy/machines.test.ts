// Checks every pair of state and action: a row leads to its state, and a pair without a row is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { API_KEY_STATUSES } from '@holdfast/contract/api/keys.ts';
import { EVENTS } from '@holdfast/contract/events.ts';
import {
  APPROVAL_STATUSES,
  DEADLINE_STATUSES,
  DISPUTE_STATUSES,
  ESCROW_STATUSES,
  MILESTONE_STATUSES,
  ORDER_STATUSES,
  TOPUP_STATUSES,
  USER_STATUSES,
  WITHDRAWAL_STATUSES,
} from '@holdfast/contract/states.ts';
import { isDomainError } from '../../server/src/base/domain-error.ts';
import { type Machine, step } from '../../server/src/base/machine.ts';
import { MOVES } from '../../server/src/books/moves.ts';
import { API_KEY_MACHINE } from '../../server/src/modules/api-keys/machine.ts';
import { APPROVAL_MACHINE } from '../../server/src/modules/approvals/machine.ts';
import { ARCHIVE_MACHINE, ARCHIVE_STATES } from '../../server/src/modules/archives/archive.ts';
import { DISPUTE_MACHINE } from '../../server/src/modules/disputes/machine.ts';
import { ESCROW_MACHINE } from '../../server/src/modules/escrows/machine.ts';
import { ORDER_GUARDS } from '../../server/src/modules/orders/guards.ts';
import { ORDER_MACHINE } from '../../server/src/modules/orders/machine.ts';
import { MILESTONE_MACHINE } from '../../server/src/modules/orders/milestone-machine.ts';
import { DEADLINE_MACHINE } from '../../server/src/modules/policies/machine.ts';
import { TOPUP_MACHINE } from '../../server/src/modules/topups/machine.ts';
import { USER_MACHINE } from '../../server/src/modules/users/machine.ts';
import { WITHDRAWAL_MACHINE } from '../../server/src/modules/withdrawals/machine.ts';

const MACHINES: readonly { states: readonly string[]; machine: Machine<string, string> }[] = [
  { states: USER_STATUSES, machine: USER_MACHINE },
  { states: API_KEY_STATUSES, machine: API_KEY_MACHINE },
  { states: ORDER_STATUSES, machine: ORDER_MACHINE },
  { states: ESCROW_STATUSES, machine: ESCROW_MACHINE },
  { states: MILESTONE_STATUSES, machine: MILESTONE_MACHINE },
  { states: DISPUTE_STATUSES, machine: DISPUTE_MACHINE },
  { states: DEADLINE_STATUSES, machine: DEADLINE_MACHINE },
  { states: APPROVAL_STATUSES, machine: APPROVAL_MACHINE },
  { states: TOPUP_STATUSES, machine: TOPUP_MACHINE },
  { states: WITHDRAWAL_STATUSES, machine: WITHDRAWAL_MACHINE },
  { states: ARCHIVE_STATES, machine: ARCHIVE_MACHINE },
];

/** A key expires by the clock. */
const MET_OTHERWISE = ['EXPIRED'];

for (const { states, machine } of MACHINES) {
  const triggers = [...new Set(machine.rows.map((row) => row.on))];

  test(`each action on ${machine.subject} leads where its row says, or is refused with what is allowed`, () => {
    for (const from of states) {
      const rows = machine.rows.filter((row) => row.from === from);
      for (const on of triggers) {
        const row = rows.find((candidate) => candidate.on === on);
        if (row) {
          assert.equal(step(machine, { from, on }), row.to);
          continue;
        }
        assert.throws(
          () => step(machine, { from, on }),
          (error) => {
            assert.ok(isDomainError(error));
            const { code, status, details } = error;
            assert.deepEqual([code, status], ['INVALID_STATE', machine.status ?? 409]);
            const allowed = rows.map((each) => each.on).filter((each) => !each.includes('.'));
            assert.deepEqual(details, { currentState: from, allowedActions: allowed });
            return true;
          },
        );
      }
    }
  });

  test(`${machine.subject}: every row names known states, and no pair has two rows`, () => {
    for (const { from, to } of machine.rows) assert.ok(states.includes(from) && states.includes(to));
    const pairs = machine.rows.map(({ from, on }) => `${from} ${on}`);
    assert.deepEqual([...new Set(pairs)], pairs);
  });

  test(`${machine.subject}: every state is met, and every move and event of a row is one of its table`, () => {
    const met = new Set(machine.rows.flatMap(({ from, to }) => [from, to]));
    assert.deepEqual(
      states.filter((state) => !met.has(state) && !MET_OTHERWISE.includes(state)),
      [],
    );
    for (const { moves = [], emits = [] } of machine.rows) {
      for (const move of moves) assert.ok(move in MOVES, move);
      for (const type of emits) assert.ok(type in EVENTS, type);
    }
  });
}

test('every guard is named by a row of an action that a caller can request, and no other machine has guards', () => {
  const rows = MACHINES.flatMap(({ machine }) => machine.rows.filter((row) => row.guards !== undefined));
  const named = new Set(rows.flatMap(({ guards = [] }) => guards));
  assert.deepEqual([...named].sort(), Object.keys(ORDER_GUARDS).sort());
  assert.deepEqual(
    // Time requests too.
    rows.filter((row) => row.on.includes('.') && !row.on.startsWith('deadline.')),
    [],
  );
});
