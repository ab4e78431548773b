// Walks every pair of state and action: a row leads where it says, and whatever is not a row is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { API_KEY_STATUSES } from '@holdfast/contract/api/keys.ts';
import { USER_STATUSES } from '@holdfast/contract/states.ts';
import { API_KEY_MACHINE } from '../../server/src/domain/api-key-machine.ts';
import { isFault } from '../../server/src/domain/fault.ts';
import { type Machine, step } from '../../server/src/domain/machine.ts';
import { USER_MACHINE } from '../../server/src/domain/user-machine.ts';

const MACHINES: readonly { states: readonly string[]; machine: Machine<string, string> }[] = [
  { states: USER_STATUSES, machine: USER_MACHINE },
  { states: API_KEY_STATUSES, machine: API_KEY_MACHINE },
];

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
            assert.ok(isFault(error));
            const { code, status, details } = error;
            assert.deepEqual([code, status], ['INVALID_STATE', 409]);
            assert.deepEqual(details, { currentState: from, allowedActions: rows.map((each) => each.on) });
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
}
