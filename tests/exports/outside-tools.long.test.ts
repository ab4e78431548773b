// Independent bookkeeping tools read the exported journal and agree with the books, account by account, to the last of seven places. A
// tool that is not installed is skipped with a message.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ComparedBooks, compareBooks, installedTools } from '../../tools/outside-books/compare-books.ts';
import { OUTSIDE_TOOLS } from '../../tools/outside-books/outside-books.ts';
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
    body: { amount: '12.34', currency: 'USDC', reference: 'old-1', counterAccount: 'opening_balances' },
  });
  const withdrawal = await aWithdrawal();
  await done(`POST /withdrawals/${withdrawal.id}/commit`);
};

/** Another amount in the first transaction. */
const alter = (text: string, { isAltered }: { isAltered: boolean }): string => {
  if (!isAltered) return text;
  const altered = text.replace(/ (\d+\.\d{7} \w+\n.* -)(\d+\.\d{7})/, ' 9$19$2');
  assert.notEqual(altered, text);
  return altered;
};

const booksOf = (app: TestApp): ComparedBooks => ({
  marketplaceId: 'mkt_default',
  sql: app.sql,
  async readJournal(format) {
    const { text, status } = await app.call(`GET /exports/journal?format=${format}`);
    assert.equal(status, 200, text);
    return text;
  },
  readProof: async () => (await app.call('GET /audit/proof')).body.data,
});

test('bookkeeping tools accept the journal, and their balances are those of the books and of the proof', async (t) => {
  const tools = await installedTools();
  if (tools.length === 0) return t.skip(NO_TOOLS);
  const app = await startApp(t, { sandbox: true });
  await live(app);
  await assertProof(app);
  const journals = new Map<string, string>();
  const books = booksOf(app);
  const compared: ComparedBooks = {
    ...books,
    async readJournal(format) {
      const text = await books.readJournal(format);
      journals.set(format, text);
      return text;
    },
  };
  const { figures, accounts, readers, ...found } = await compareBooks(compared);
  for (const line of figures) t.diagnostic(line);
  assert.deepEqual(found.differences, []);
  assert.deepEqual(readers, ['jsonl', ...tools]);
  assert.ok(accounts > 15, `${accounts} accounts`);
  for (const tool of tools) {
    const altered = await compareBooks({
      ...compared,
      readJournal: async (format) => alter(journals.get(format)!, { isAltered: format === tool }),
    });
    const [from, to, ...rest] = altered.differences.filter((difference) => difference.startsWith(`${tool}:`));
    assert.ok(from && to, 'another amount is noticed');
    assert.equal(altered.differences.length, 2 + rest.length, 'only in the altered file');
  }
  return undefined;
});

test('a posting between two files of a comparison is not taken for a difference', async (t) => {
  const app = await startApp(t);
  const { done } = builderOf(app);
  const id = await app.aUser();
  const credit = (reference: string) =>
    done(`POST /users/${id}/balance/credit`, { body: { amount: '1.00', reference } });
  await credit('before');
  const books = booksOf(app);
  let read = 0;
  const { differences } = await compareBooks({
    ...books,
    async readJournal(format) {
      if (++read === 1) await credit('meantime');
      return books.readJournal(format);
    },
  });
  assert.deepEqual(differences, []);
});
