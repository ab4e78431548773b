// Every event about a payment out, against every state of its withdrawal: what it becomes, what is told, and where the money
// is. What comes late or in another order changes nothing and is not failed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WithdrawalStatus } from '@holdfast/contract/states.ts';
import { type Any, signedHeaders } from './payment-stand.ts';
import { openWithdrawals, type WithdrawalStand } from './withdrawal-stand.ts';

const CREATED = 'WITHDRAWAL_CREATED';
const COMMITTED = 'WITHDRAWAL_COMMITTED';
const PENDING = 'WITHDRAWAL_PENDING';
const ACTION = 'WITHDRAWAL_PENDING_USER_ACTION';
const COMPLETED = 'WITHDRAWAL_COMPLETED';
const FAILED = 'WITHDRAWAL_FAILED';
const CANCELED = 'WITHDRAWAL_CANCELED';

const TYPES = {
  'payout.created': CREATED,
  'payout.committed': COMMITTED,
  'payout.pending': PENDING,
  'payout.pending_user_action': ACTION,
  'payout.completed': COMPLETED,
  'payout.failed': FAILED,
  'payout.canceled': CANCELED,
} as const;

const ENDS: readonly WithdrawalStatus[] = [COMPLETED, FAILED, CANCELED];
/** The provider may go to and fro between the last two. */
const RANKS: Readonly<Record<string, number>> = { [CREATED]: 0, [COMMITTED]: 1, [PENDING]: 2, [ACTION]: 2 };

/** Forward, and never out of an end. */
const becomes = (from: WithdrawalStatus, told: WithdrawalStatus): WithdrawalStatus => {
  if (ENDS.includes(from)) return from;
  return ENDS.includes(told) || RANKS[told]! > RANKS[from]! || (RANKS[told] === 2 && RANKS[from] === 2) ? told : from;
};

const EVENTS: Readonly<Record<WithdrawalStatus, readonly string[]>> = {
  [CREATED]: [],
  [COMMITTED]: ['withdrawal.committed'],
  [PENDING]: ['withdrawal.pending'],
  [ACTION]: ['withdrawal.pending_user_action'],
  [COMPLETED]: ['withdrawal.completed'],
  [FAILED]: ['balance.credited', 'withdrawal.failed'],
  [CANCELED]: ['balance.credited', 'withdrawal.canceled'],
};

/** What the user has in each state, of 100.00. */
const BALANCES: Readonly<Record<WithdrawalStatus, string>> = {
  ...{ [CREATED]: '74.50 + 25.50', [COMMITTED]: '74.50 + 25.50', [PENDING]: '74.50 + 25.50' },
  ...{ [ACTION]: '74.50 + 25.50', [COMPLETED]: '74.50 + 0.00' },
  ...{ [FAILED]: '100.00 + 0.00', [CANCELED]: '100.00 + 0.00' },
};

const PROCESSED = '{"status":"ok","processed":true}';
const NOT_PROCESSED = '{"status":"ok","processed":false}';

/** A withdrawal in that state, come there as the product comes there. */
const reach = async (stand: WithdrawalStand, state: WithdrawalStatus): Promise<Any> => {
  const { withdrawal, commit, deliver, get } = stand;
  const made = await withdrawal();
  if (state === CREATED) return made;
  const committed = await commit(made.id);
  if (state === COMMITTED) return committed;
  const type = Object.entries(TYPES).find(([, told]) => told === state)![0];
  await deliver({ type, data: { id: committed.providerPayoutId, code: made.id, amount: 25.5 } });
  return get(made.id);
};

for (const from of Object.values(TYPES)) {
  test(`every event about a payment that is ${from} leads on, or is taken and changes nothing`, async (t) => {
    const stand = await openWithdrawals(t, { webhooks: false });
    const { deliver, get, told, balance } = stand;
    for (const [type, meant] of Object.entries(TYPES)) {
      const before = await reach(stand, from);
      assert.deepEqual([before.status, await balance(before.userId)], [from, BALANCES[from]]);
      const payoutId = before.providerPayoutId ?? `made-by-nobody-${before.id}`;
      const heard = (await told(before)).length;
      const event = { type, data: { id: payoutId, code: before.id, amount: 25.5, reasonDescription: 'because' } };
      assert.equal((await deliver(event)).text, PROCESSED, type);

      const [now, to] = [await get(before.id), becomes(from, meant)];
      assert.equal(now.status, to, type);
      const isNew = to !== from;
      assert.deepEqual(
        (await told(before)).slice(heard).map(([each]) => each),
        isNew ? EVENTS[to] : [],
        type,
      );
      assert.equal(await balance(before.userId), BALANCES[to], type);
      if (isNew) assert.equal(now.providerPayoutId, payoutId);
      else assert.deepEqual(now, before, type);
      assert.equal((await deliver({ ...event, eventId: `again-${before.id}` })).text, PROCESSED);
      assert.deepEqual(await get(before.id), now, 'the same told under another id changes nothing more');
    }
    const proof = await stand.expect('GET /audit/proof', { status: 200 });
    assert.equal(proof.holds, true);
  });
}

test("events in the provider's own spelling, and such that name the withdrawal by either id, are taken", async (t) => {
  const { withdrawal, commit, get, deliver, tell, balance } = await openWithdrawals(t, { webhooks: false });
  const all = [await withdrawal(), await withdrawal(), await withdrawal()];
  const [native, byPayout, bySpec] = await Promise.all(all.map(({ id }) => commit(id)));
  const body = JSON.stringify({
    type: 'payout.completed',
    data: { id: native.providerPayoutId, code: native.id, amount: 25.5 },
  });
  assert.equal((await tell(body, signedHeaders(body, { id: 'msg_1' }))).text, PROCESSED);
  const completed = (data: object) => deliver({ type: 'payout.completed', data: { amount: 25.5, ...data } });
  assert.equal((await completed({ id: byPayout.providerPayoutId, code: null })).text, PROCESSED);
  // As one reads the interface description: the id is ours and there is no code.
  assert.equal((await completed({ id: bySpec.id })).text, PROCESSED);
  for (const { id, userId } of all) {
    assert.deepEqual([(await get(id)).status, await balance(userId)], [COMPLETED, BALANCES[COMPLETED]]);
  }
});

test('an event over another amount, currency or payment is not applied, and the right one is afterwards', async (t) => {
  const { app, withdrawal, commit, deliver, get, balance } = await openWithdrawals(t, { webhooks: false });
  const { id, userId } = await withdrawal();
  const committed = await commit(id);
  const data = { id: committed.providerPayoutId, code: id, amount: 25.5 };
  const misfits = [{ amount: 25.49 }, { amount: 2_550 }, { amount: null }, { currency: 'EUR' }, { id: 'another' }];
  for (const [at, misfit] of misfits.entries()) {
    const event = { type: 'payout.completed', data: { ...data, ...misfit }, eventId: `misfit-${at}` };
    assert.equal((await deliver(event)).text, NOT_PROCESSED, JSON.stringify(misfit));
  }
  assert.deepEqual(await get(id), committed);
  const rows = await app.sql('select state, failure, subject_id from webhook_events');
  assert.ok(rows.every(({ state, failure, subject_id }) => state === 'FAILED' && failure && subject_id === id));
  const right = { type: 'payout.completed', data, eventId: 'misfit-0' };
  assert.equal((await deliver(right)).text, PROCESSED);
  assert.equal((await deliver(right)).text, '{"status":"ok","duplicate":true}');
  assert.equal(await balance(userId), BALANCES[COMPLETED]);
});

test('an event about no withdrawal of ours, or about one that the ledger pays, is not applied', async (t) => {
  const stand = await openWithdrawals(t, { ledger: true, webhooks: false });
  const { withdrawal, deliver, get, person, stranger } = stand;
  const type = 'payout.completed';
  const none = await deliver({ type, data: { id: 'x', code: 'wdr_01J9ZQ8H7K5M3N2P4R6S8T0V1W', amount: 25.5 } });
  assert.equal(none.text, NOT_PROCESSED);
  const destination = { type: 'crypto', address: await stranger() };
  const made = await withdrawal({ userId: await person(), body: { destination } });
  assert.equal((await deliver({ type, data: { id: 'x', code: made.id, amount: 25.5 } })).text, NOT_PROCESSED);
  assert.deepEqual(await get(made.id), made);
});

test('a withdrawal of another marketplace is found there', async (t) => {
  const stand = await openWithdrawals(t);
  const { app, withdrawal, move, assertSound } = stand;
  const key = await app.key(['*'], 'mkt_other');
  const { id, userId } = await withdrawal({ key });
  assert.equal((await app.call(`POST /withdrawals/${id}/commit`, { key })).status, 200);
  await move(id, 'complete');
  const { body } = await app.call(`GET /users/${userId}/balance`, { key });
  assert.deepEqual([body.data.available, body.data.reserved], ['74.50', '0.00']);
  const owed = await app.sql("select marketplace_id, balance::text from accounts where id = 'payment-float-owed:USD'");
  assert.deepEqual(owed, [{ marketplace_id: 'mkt_other', balance: '255000000' }]);
  await assertSound();
});

test('what is paid in a currency that has no float of its own is owed to the one that has', async (t) => {
  const { app, person, withdrawal, commit, move, balance, topup, pay, assertSound } = await openWithdrawals(t);
  const userId = await person('100.00', { currency: 'USDC' });
  const paidIn = await topup({ userId, body: { currency: 'USDC', amount: '10.00' } });
  await pay(paidIn.id, 'confirm');
  const { id } = await withdrawal({ userId, body: { currency: 'USDC' } });
  await commit(id);
  await move(id, 'complete');
  assert.equal(await balance(userId, 'USDC'), '84.50 + 0.00');
  const accounts = await app.sql("select id, balance::text from accounts where id like 'payment-float%' order by id");
  assert.deepEqual(accounts, [
    { id: 'payment-float-owed:USDC', balance: '155000000' },
    { id: 'payment-float:USD', balance: '-10000000000000' },
    { id: 'payment-float:USDC', balance: '0' },
  ]);
  await assertSound();
});
