// Independent bookkeeping tools read the exported journal and agree with the books, account by account, to the last of seven places. A
// tool that is not installed is skipped with a message.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportAccount } from '../../server/src/modules/exports/account-names.ts';
import {
  differences,
  isInstalled,
  nameIn,
  OUTSIDE_TOOLS,
  type OutsideTool,
  sumsByTool,
} from '../../tools/outside-books/outside-books.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { builderOf } from '../support/builder.ts';
import { assertProof } from '../support/checks.ts';

const NO_TOOLS = `none of ${OUTSIDE_TOOLS.join(', ')} is installed`;

/** Money in and out by every way: releases with fees, a refund, a split, parts, top-ups, withdrawals and corrections by hand. */
const live = async (app: TestApp): Promise<void> => {
  const { anOrder, aDispute, aTopup, aWithdrawal, completeAll, done } = builderOf(app);
  const released = await anOrder({ at: 'IN_PROGRESS', milestones: 2, amount: '33.33' });
  await completeAll(released);
  await done(`POST /orders/${released.id}/resolution/release`);
  const refunded = await anOrder({ at: 'IN_PROGRESS', amount: '0.07' });
  await done(`POST /orders/${refunded.id}/resolution/refund`, { body: { reason: 'not in stock' } });
  const dispute = await aDispute({ amount: '99.99' });
  await done(`POST /disputes/${dispute.id}/assign`, { body: { assignedTo: 'agent-7' } });
  const body = { decision: 'SPLIT', releaseAmount: '66.65', refundAmount: '33.34', note: 'both were late' };
  await done(`POST /disputes/${dispute.id}/resolve`, { body });
  const parts = await anOrder({ at: 'IN_PROGRESS', milestones: ['10.01', '20.02'], amount: '30.03' });
  await completeAll(parts);
  await done(`POST /orders/${parts.id}/milestones/m1/release`);
  const { id, userId } = await aTopup();
  await done(`POST /sandbox/payins/${id}/confirm`);
  await done(`POST /users/${userId}/balance/debit`, {
    body: { amount: '0.01', reference: '=1+1; "quoted" | and, \\ more', description: 'line one\nline two; — ü "x"' },
  });
  await done(`POST /users/${userId}/balance/credit`, {
    body: { amount: '12.34', currency: 'USDC', counterAccount: 'opening_balances' },
  });
  const withdrawal = await aWithdrawal();
  await done(`POST /withdrawals/${withdrawal.id}/commit`);
};

/** The sum of every account of an export, from the postings of the database. */
const sumsOfBooks = async (app: TestApp, tool: OutsideTool): Promise<Map<string, bigint>> => {
  const rows = await app.sql(`select account_id as id, move, sum(amount)::text as units from postings
    where marketplace_id = 'mkt_default' group by 1, 2`);
  const sums = new Map<string, bigint>();
  for (const { id, move, units } of rows) {
    const { name, currency } = exportAccount(id, move);
    const account = `${nameIn(tool, name)} ${currency}`;
    sums.set(account, (sums.get(account) ?? 0n) + BigInt(units));
  }
  return sums;
};

test('bookkeeping tools accept the journal, and their balances are those of the books', async (t) => {
  const installed = await Promise.all(OUTSIDE_TOOLS.map(isInstalled));
  const tools = OUTSIDE_TOOLS.filter((_, at) => installed[at]);
  if (tools.length === 0) return t.skip(NO_TOOLS);
  const app = await startApp(t, { sandbox: true });
  await live(app);
  await assertProof(app);
  for (const tool of tools) {
    const { text, status } = await app.call(`GET /exports/journal?format=${tool}`);
    assert.equal(status, 200, text);
    const theirs = await sumsByTool(tool, text);
    const ours = await sumsOfBooks(app, tool);
    assert.ok(ours.size > 15, `${ours.size} accounts`);
    assert.deepEqual(differences(ours, theirs), []);
    const altered = text.replace(/ (\d+\.\d{7} \w+\n.* -)(\d+\.\d{7})/, ' 9$19$2');
    assert.notEqual(altered, text);
    assert.equal(differences(ours, await sumsByTool(tool, altered)).length, 2, 'another amount is noticed');
    t.diagnostic(`${tool}: ${theirs.size} accounts with a balance, ${ours.size} accounts here, no difference`);
  }
  return undefined;
});
