// docs/operating.md names for every state that can last, and for every kind of break, how it is left and the test that leaves it.

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { BREAK_KINDS, OPERATION_STATES } from '@holdfast/contract/states.ts';
import type { Machine } from '../../server/src/base/machine.ts';
import { API_KEY_MACHINE } from '../../server/src/modules/api-keys/machine.ts';
import { APPROVAL_MACHINE } from '../../server/src/modules/approvals/machine.ts';
import { DISPUTE_MACHINE } from '../../server/src/modules/disputes/machine.ts';
import { ESCROW_MACHINE } from '../../server/src/modules/escrows/machine.ts';
import { ORDER_MACHINE } from '../../server/src/modules/orders/machine.ts';
import { MILESTONE_MACHINE } from '../../server/src/modules/orders/milestone-machine.ts';
import { DEADLINE_MACHINE } from '../../server/src/modules/policies/machine.ts';
import { TOPUP_MACHINE } from '../../server/src/modules/topups/machine.ts';
import { USER_MACHINE } from '../../server/src/modules/users/machine.ts';
import { WITHDRAWAL_MACHINE } from '../../server/src/modules/withdrawals/machine.ts';
import { ROOT, readText } from './sources.ts';

const MACHINES: Readonly<Record<string, Machine<string, string>>> = {
  User: USER_MACHINE,
  'API key': API_KEY_MACHINE,
  Order: ORDER_MACHINE,
  Escrow: ESCROW_MACHINE,
  Milestone: MILESTONE_MACHINE,
  Dispute: DISPUTE_MACHINE,
  Deadline: DEADLINE_MACHINE,
  Approval: APPROVAL_MACHINE,
  'Top-up': TOPUP_MACHINE,
  Withdrawal: WITHDRAWAL_MACHINE,
};

const section = readText('docs/operating.md').split('## Every state that can last\n')[1]!.split('\n## ')[0]!;

const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| State'))
  .map((line) => line.slice(2, -2).split(' | '));

test('every state with a way out of it, every kind of break and every state of an operation has a row', () => {
  const named = new Set(rows.map(([state]) => state!));
  for (const [record, { rows: ways }] of Object.entries(MACHINES)) {
    for (const from of new Set(ways.map((way) => way.from)))
      assert.ok(named.has(`${record} ${from}`), `${record} ${from}`);
  }
  for (const kind of BREAK_KINDS) assert.ok(named.has(`Break ${kind}`), kind);
  for (const state of OPERATION_STATES.filter((one) => one !== 'DONE'))
    assert.ok(named.has(`Operation ${state}`), state);
});

test('every row names why it stays, a page, a command, a route, and a test that exists', () => {
  for (const cells of rows) {
    assert.equal(cells.length, 6, cells.join());
    for (const cell of cells) assert.ok(cell.length > 3, cells.join());
    const [, file, title] = /^(tests\/\S+): “(.+)”$/.exec(cells[5]!) ?? [];
    assert.ok(file && title && existsSync(path.join(ROOT, file)), cells.join());
    assert.ok(readText(file).includes(title), `${file} has no test “${title}”`);
  }
});

test('no page tells an operator to change rows of the database', () => {
  for (const name of readdirSync(path.join(ROOT, 'docs')).filter((one) => one.endsWith('.md'))) {
    const text = readText(`docs/${name}`);
    assert.doesNotMatch(text, /\b(repair|mend|correct|fix)\w* (it |them |a \w+ )?with SQL\b/i, name);
    assert.doesNotMatch(text, /`(delete from|update|insert into|select) [^`]* where [^`]*`/i, name);
  }
});
