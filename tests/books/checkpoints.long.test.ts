// Every alteration that a proof finds after a checkpoint, in a checkpoint and in the chain of checkpoints, and servers at the same time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../server/src/base/instant.ts';
import { openFixture } from '../commit/fixture.ts';
import { broken, checkpoints, credit, detailOf, mark, openMarked, prove, tamper } from './checkpoint-fixture.ts';

test('a marketplace without postings, and one without anything, are proved', async (t) => {
  const fixture = await openFixture(t);
  assert.equal((await mark(fixture)).holds, true);
  assert.deepEqual(await checkpoints(fixture), []);
  await fixture.user();
  assert.equal((await mark(fixture)).holds, true);
  assert.equal((await mark(fixture)).checkpoint?.number, 1n);
  assert.equal((await checkpoints(fixture)).length, 1);
});

const AFTER: [string, (late: string) => [string, string], string][] = [
  [
    'a posting of another amount',
    (late) => ['postings', `update postings set amount = amount + 1 where account_id = '${late}:available:USD'`],
    'accounts-equal-postings',
  ],
  [
    'a posting with another balance after it',
    (late) => ['postings', `update postings set balance_after = 1 where account_id = '${late}:available:USD'`],
    'accounts-equal-postings',
  ],
  [
    'a balance that was raised',
    (late) => ['accounts', `update accounts set balance = balance + 1 where id = '${late}:available:USD'`],
    'accounts-equal-postings',
  ],
  [
    'an account row that is gone',
    (late) => ['accounts', `delete from accounts where id = '${late}:available:USD'`],
    'accounts-equal-postings',
  ],
  [
    'one of the two postings that is gone',
    () => ['postings', `delete from postings where account_id = 'operator:adjustments:USD' and seq = 2`],
    'postings-sum-to-zero',
  ],
];

for (const [change, statement, check] of AFTER) {
  test(`the proof from the checkpoint finds, after the checkpoint, ${change}`, async (t) => {
    const { fixture, late } = await openMarked(t);
    const [table, text] = statement(late);
    await tamper(fixture, table, text);
    const proof = await mark(fixture);
    assert.ok(broken(proof).includes(check), broken(proof).join());
    assert.equal(proof.checkpoint?.number, 1n);
    assert.equal((await checkpoints(fixture)).length, 1, 'no checkpoint is made of books that do not hold');
  });
}

test('the full proof finds postings that vanished in pairs before the checkpoint together with their balances', async (t) => {
  const { fixture, early } = await openMarked(t);
  await tamper(
    fixture,
    'postings',
    `delete from postings where '${early}:available:USD' in (account_id, counter_account_id)`,
  );
  await tamper(fixture, 'accounts', `delete from accounts where id = '${early}:available:USD'`);
  assert.ok(broken(await mark(fixture, { full: true })).includes('checkpoint-equals-postings'));
});

const ALTERED: [string, string, RegExp][] = [
  ['sums', `sums = replace(sums, '50000000', '60000000')`, /was altered: its hash does not match/],
  ['the entry', 'audit_seq = audit_seq - 1', /was altered/],
  ['the hash', `hash = 'x'`, /was altered/],
];

for (const [what, change, sentence] of ALTERED) {
  test(`a checkpoint with another value is found, and everything is read instead: ${what}`, async (t) => {
    const { fixture } = await openMarked(t);
    await tamper(fixture, 'proof_checkpoints', `update proof_checkpoints set ${change}`);
    const proof = await mark(fixture);
    assert.deepEqual(broken(proof), ['checkpoint-is-intact']);
    assert.match(detailOf(proof, 'checkpoint-is-intact')!, sentence);
    assert.equal(proof.checkpoint, null);
    assert.equal((await checkpoints(fixture)).length, 1, 'no checkpoint follows one that was altered');
  });
}

test('a checkpoint that was removed from the middle of the chain is found', async (t) => {
  const { fixture, early } = await openMarked(t);
  for (let i = 0; i < 2; i++) {
    await mark(fixture);
    await credit(fixture, early);
  }
  await mark(fixture);
  await fixture.pool.query('delete from proof_checkpoints where number = 2');
  assert.match(detailOf(await prove(fixture), 'checkpoint-is-intact')!, /removed or replaced/);
});

test('a checkpoint ahead of a database that was set back, and one of another history, are found', async (t) => {
  const { fixture } = await openMarked(t);
  await mark(fixture);
  const last = (await checkpoints(fixture)).at(-1)!.audit_seq;
  await tamper(fixture, 'audit_entries', `update audit_entries set hash = 'x' where seq = ${last}`);
  assert.match(detailOf(await prove(fixture), 'checkpoint-is-intact')!, /has another hash than checkpoint 2 recorded/);
  await fixture.pool.query('update marketplaces set audit_seq = audit_seq - 1');
  assert.match(detailOf(await prove(fixture), 'checkpoint-is-intact')!, /the database is older than its checkpoint/);
});

test('after the checkpoints were deleted the next proof reads everything and begins a new chain', async (t) => {
  const { fixture } = await openMarked(t);
  await tamper(fixture, 'proof_checkpoints', `update proof_checkpoints set hash = 'x'`);
  await fixture.pool.query('delete from proof_checkpoints');
  assert.equal((await mark(fixture)).holds, true);
  assert.deepEqual(
    (await checkpoints(fixture)).map((row) => [row.number, row.is_full]),
    [[1, true]],
  );
});

test('a full checkpoint replaces those since the full one before, and two full ones follow each other', async (t) => {
  const { fixture, early } = await openMarked(t);
  await mark(fixture);
  await credit(fixture, early);
  await mark(fixture, { full: true });
  await credit(fixture, early);
  assert.equal((await mark(fixture)).holds, true);
  assert.deepEqual(
    (await checkpoints(fixture)).map((row) => [row.number, row.is_full]),
    [
      [1, true],
      [3, true],
      [4, false],
    ],
  );
});

test('two servers that prove at the same time leave one chain that is intact', async (t) => {
  const { fixture, early } = await openMarked(t);
  for (let i = 0; i < 5; i++) {
    await credit(fixture, early);
    await Promise.all([mark(fixture), mark(fixture, { full: i % 2 === 0 }), mark(fixture), credit(fixture, early)]);
    assert.deepEqual(broken(await mark(fixture)), []);
  }
  assert.deepEqual(broken(await mark(fixture, { full: true })), []);
});

test('postings of a server whose clock was set back by five hours belong to the proof', async (t) => {
  let setBack = 0;
  const fixture = await openFixture(t, { clock: () => systemClock() - setBack });
  const user = await fixture.user('5.00');
  await mark(fixture);
  setBack = 5 * 3_600_000_000;
  await credit(fixture, user);
  setBack = 0;
  await credit(fixture, user);
  const recent = await prove(fixture);
  assert.equal(detailOf(recent, 'accounts-equal-postings')?.slice(0, 7), '0 of 2 ');
  assert.deepEqual(recent.currencies, (await prove(fixture, { full: true })).currencies);
});
