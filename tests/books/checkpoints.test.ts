// Checkpoints of the proof: a proof begins at the last one, finds what was altered after it, and never begins at one that was altered. A
// full proof finds what was altered before it.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../server/src/base/instant.ts';
import { createKeptProofs } from '../../server/src/books/checkpoints.ts';
import { proveMarketplace } from '../../server/src/books/proof.ts';
import type { Proof } from '../../server/src/books/proof-checks.ts';
import { proveAndMark } from '../../server/src/modules/audit/jobs.ts';
import { createAuditReads } from '../../server/src/modules/audit/queries.ts';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { reserveBalance } from '../../server/src/modules/balances/reserve-balance.ts';
import { createMoneyReads } from '../../server/src/modules/reports/money-places.ts';
import { type Fixture, MARKETPLACE, openFixture, usd } from '../commit/fixture.ts';
import { disableTriggers, enableTriggers } from '../support/triggers.ts';

const mark = ({ pool }: Fixture, { full = false } = {}): Promise<Proof> =>
  proveAndMark(pool, { marketplaceId: MARKETPLACE, full });

const prove = async ({ pool }: Fixture, { full = false } = {}): Promise<Proof> =>
  (await proveMarketplace(pool, { marketplaceId: MARKETPLACE, full })).proof;

const broken = ({ checks }: Proof): string[] => checks.filter(({ holds }) => !holds).map(({ name }) => name);

const detailOf = ({ checks }: Proof, name: string): string | undefined =>
  checks.find((check) => check.name === name)?.detail;

const credit = ({ submit }: Fixture, userId: string) =>
  submit(creditBalance, { userId, currency: 'USD', amount: usd('1.00') });

/** Changes rows as only an administrator of the database could. */
const tamper = async ({ pool }: Fixture, table: string, statement: string): Promise<void> => {
  await pool.query(disableTriggers(table));
  await pool.query(statement);
  await pool.query(enableTriggers(table));
};

const checkpoints = async ({ pool }: Fixture) =>
  (await pool.query('select number::int, is_full, audit_seq::int from proof_checkpoints order by number')).rows;

/** One user with a posting before the checkpoint, and one after it. */
const openMarked = async (t: TestContext) => {
  const fixture = await openFixture(t);
  const early = await fixture.user('5.00');
  assert.equal((await mark(fixture)).checkpoint, null);
  const late = await fixture.user('7.00');
  return { fixture, early, late };
};

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

test('the proof from the checkpoint finds a posting in the middle that does not continue from the one before it', async (t) => {
  const { fixture, late } = await openMarked(t);
  for (let i = 0; i < 2; i++) await credit(fixture, late);
  assert.deepEqual(broken(await prove(fixture)), []);
  // The sum, the first opening balance and the last balance stay as they were.
  const posting = `account_id = '${late}:available:USD' and seq = 2`;
  await tamper(fixture, 'postings', `update postings set balance_after = balance_after + 1 where ${posting}`);
  assert.deepEqual(broken(await mark(fixture)), ['accounts-equal-postings']);
  assert.equal((await checkpoints(fixture)).length, 1, 'no checkpoint is made of books that do not hold');
});

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
