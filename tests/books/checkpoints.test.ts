// Checkpoints of the proof: a proof begins at the last one and finds what was altered after it. A full proof finds what was altered
// before it. checkpoints.long.test.ts has every alteration, also of checkpoints.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeptProofs } from '../../server/src/books/checkpoints.ts';
import { createAuditReads } from '../../server/src/modules/audit/queries.ts';
import { reserveBalance } from '../../server/src/modules/balances/reserve-balance.ts';
import { createMoneyReads } from '../../server/src/modules/reports/money-places.ts';
import { MARKETPLACE, usd } from '../commit/fixture.ts';
import { broken, checkpoints, credit, detailOf, mark, openMarked, prove, tamper } from './checkpoint-fixture.ts';

test('the first proof reads everything, the next one only what came after its checkpoint, with the same figures', async (t) => {
  const { fixture, early, late } = await openMarked(t);
  await credit(fixture, early);
  const recent = await prove(fixture);
  const full = await prove(fixture, { full: true });
  assert.deepEqual(broken(recent), []);
  assert.deepEqual(recent.currencies, full.currencies);
  assert.equal(recent.checkpoint?.number, 1n);
  assert.equal(full.checkpoint, null);
  assert.match(detailOf(recent, 'accounts-equal-postings')!, /^0 of 3 accounts with postings since the checkpoint/);
  await mark(fixture);
  assert.deepEqual(
    (await checkpoints(fixture)).map((row) => [row.number, row.is_full]),
    [
      [1, true],
      [2, false],
    ],
  );
  assert.match(detailOf(await prove(fixture), 'accounts-equal-postings')!, /^0 of 0 accounts/);
  await credit(fixture, late);
  assert.deepEqual((await prove(fixture)).currencies, (await prove(fixture, { full: true })).currencies);
});

test('the proof from the checkpoint finds a posting in the middle that does not continue from the one before it', async (t) => {
  const { fixture, late } = await openMarked(t);
  for (let i = 0; i < 2; i++) await credit(fixture, late);
  assert.deepEqual(broken(await prove(fixture)), []);
  // The sum, the first opening balance and the last balance stay as they were.
  const posting = `account_id = '${late}:available:USD' and seq = 2`;
  await tamper(fixture, 'postings', `update postings set balance_after = balance_after + 1 where ${posting}`);
  assert.deepEqual(broken(await mark(fixture)), ['accounts-equal-postings']);
  const full = await mark(fixture, { full: true });
  assert.deepEqual(broken(full), ['accounts-equal-postings']);
  assert.match(detailOf(full, 'accounts-equal-postings')!, /^1 of \d+ accounts differ/);
  assert.equal((await checkpoints(fixture)).length, 1, 'no checkpoint is made of books that do not hold');
});

const KEEPING_SUMS: [string, string][] = [
  ['two amounts whose sum stays', 'amount = amount + (case seq when 1 then 1 when 2 then -1 else 0 end)'],
  ['the balances after all of its postings', 'balance_after = balance_after + 1'],
  ['the number of its first posting', 'seq = (case seq when 1 then 0 else seq end)'],
];

for (const [what, change] of KEEPING_SUMS) {
  test(`the full proof finds, before the checkpoint, altered values of one account: ${what}`, async (t) => {
    const { fixture, early } = await openMarked(t);
    for (let i = 0; i < 2; i++) await credit(fixture, early);
    await mark(fixture);
    const before = await checkpoints(fixture);
    const postings = `marketplace_id = '${MARKETPLACE}' and account_id = '${early}:available:USD'`;
    await tamper(fixture, 'postings', `update postings set ${change} where ${postings}`);
    assert.deepEqual(broken(await mark(fixture)), [], 'nothing was altered after the checkpoint');
    assert.deepEqual(broken(await mark(fixture, { full: true })), ['accounts-equal-postings']);
    assert.deepEqual(await checkpoints(fixture), before, 'no full checkpoint is made of books that do not hold');
  });
}

test('the full proof finds a posting that was altered before the checkpoint, and the service remembers it', async (t) => {
  const { fixture, early } = await openMarked(t);
  const kept = createKeptProofs(fixture.pool);
  await kept.keep(MARKETPLACE, await mark(fixture));
  await tamper(
    fixture,
    'postings',
    `update postings set amount = amount + 1, balance_after = balance_after + 1 where account_id = '${early}:available:USD'`,
  );
  assert.deepEqual(broken(await mark(fixture)), []);
  const full = await mark(fixture, { full: true });
  assert.deepEqual(broken(full), ['postings-sum-to-zero', 'accounts-equal-postings', 'checkpoint-equals-postings']);
  assert.match(
    detailOf(full, 'checkpoint-equals-postings')!,
    /^USD user_available is 0.0000001 more by the postings than in checkpoint \d+\.$/,
  );
  await kept.keep(MARKETPLACE, full);
  const next = await mark(fixture);
  assert.deepEqual(broken(next), ['last-full-proof-held']);
  await kept.keep(MARKETPLACE, next);
  assert.deepEqual((await kept.summary()).failing, [MARKETPLACE]);
});

test('a reservation that was changed is found from the checkpoint while it is open', async (t) => {
  const { fixture, early } = await openMarked(t);
  await fixture.submit(reserveBalance, {
    userId: early,
    currency: 'USD',
    amount: usd('2.00'),
    orderId: 'o1',
  });
  await mark(fixture);
  assert.deepEqual(broken(await prove(fixture)), []);
  await fixture.pool.query('update reservations set remaining = remaining - 1');
  assert.deepEqual(broken(await prove(fixture)), ['reserved-equals-reservations']);
});

test('the audit chain is verified from the checkpoint, and from the first entry on request', async (t) => {
  const { fixture } = await openMarked(t);
  const audit = createAuditReads(fixture.pool);
  const recent = await audit.verifyRecent(MARKETPLACE);
  const whole = await audit.verifyChain(MARKETPLACE);
  assert.equal(recent.lastHash, whole.lastHash);
  assert.equal(recent.entries, whole.entries - recent.checkpoint!.auditSeq);
  await tamper(fixture, 'audit_entries', `update audit_entries set actor_id = 'x' where seq = 1`);
  assert.equal((await audit.verifyRecent(MARKETPLACE)).holds, true);
  assert.equal((await audit.verifyChain(MARKETPLACE)).brokenAt, 1n);
  const last = whole.entries;
  await tamper(fixture, 'audit_entries', `update audit_entries set actor_id = 'x' where seq = ${last}`);
  assert.equal((await audit.verifyRecent(MARKETPLACE)).brokenAt, last);
  assert.deepEqual(broken(await mark(fixture)), ['audit-chain-holds']);
});

test('the money report from the checkpoint is the one from all accounts, and reads only accounts that were posted to', async (t) => {
  const { fixture, early, late } = await openMarked(t);
  const money = createMoneyReads(fixture.pool);
  await credit(fixture, early);
  const maintained = (await money.places(MARKETPLACE)).currencies;
  // This account was posted to before the checkpoint only; the report does not add it up again.
  await mark(fixture);
  await fixture.pool.query('update accounts set balance = balance + 1 where id = $1', [`${late}:available:USD`]);
  assert.deepEqual((await money.places(MARKETPLACE)).currencies, maintained);
  await fixture.pool.query('update accounts set balance = balance - 1 where id = $1', [`${late}:available:USD`]);
  await fixture.pool.query('delete from proof_checkpoints');
  assert.deepEqual((await money.places(MARKETPLACE)).currencies, maintained);
});
