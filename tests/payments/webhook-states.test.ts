// Every event about a payment in, against every state of its top-up: what it becomes, what is told, and where the money
// is. What comes late or in another order changes nothing and is not failed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TopUpStatus } from '@holdfast/contract/states.ts';
import { type Any, openPayments, type PaymentStand } from './payment-stand.ts';

const CREATED = 'TOPUP_CREATED';
const AWAITING = 'TOPUP_AWAITING_USER_CONFIRMATION';
const PROCESSING = 'TOPUP_PROCESSING';
const SUCCEEDED = 'TOPUP_SUCCEEDED';
const FAILED = 'TOPUP_FAILED';
const CANCELED = 'TOPUP_CANCELED';

/** Both spellings. */
const TYPES = {
  'payin.created': AWAITING,
  'payin.awaiting_user_confirmation': AWAITING,
  'payin.processing': PROCESSING,
  'payin.succeeded': SUCCEEDED,
  'payin.confirmed': SUCCEEDED,
  'payin.failed': FAILED,
  'payin.canceled': CANCELED,
} as const;

const ENDS: readonly TopUpStatus[] = [SUCCEEDED, FAILED, CANCELED];
const ORDER: readonly TopUpStatus[] = [CREATED, AWAITING, PROCESSING];

/** Forward, and never out of an end. */
const becomes = (from: TopUpStatus, told: TopUpStatus): TopUpStatus => {
  if (ENDS.includes(from)) return from;
  return ENDS.includes(told) || ORDER.indexOf(told) > ORDER.indexOf(from) ? told : from;
};

const EVENTS: Readonly<Record<string, readonly string[]>> = {
  [AWAITING]: ['topup.confirmation_required'],
  [PROCESSING]: ['topup.processing'],
  [SUCCEEDED]: ['balance.credited', 'topup.succeeded'],
  [FAILED]: ['topup.failed'],
  [CANCELED]: ['topup.canceled'],
};

/** A top-up in that state, come there as the product comes there. */
const reach = async (stand: PaymentStand, state: TopUpStatus): Promise<Any> => {
  const { app, arm, topup, deliver, get } = stand;
  if (state === CREATED) {
    arm({ operation: 'payin', fault: 'lost-answer' });
    const lost = await app.call('POST /topups', { body: { userId: await app.user(), amount: '25.50' } });
    assert.equal(lost.status, 504);
    return get(lost.body.error.details.topupId);
  }
  const made = await topup();
  if (state === AWAITING) return made;
  const type = Object.entries(TYPES).find(([, told]) => told === state)![0];
  await deliver({ type, data: { id: made.providerPayinId, code: made.id, amount: 25.5 } });
  return get(made.id);
};

for (const from of [...ORDER, ...ENDS]) {
  test(`every event about a payment that is ${from} leads on, or is taken and changes nothing`, async (t) => {
    const stand = await openPayments(t, { webhooks: false, env: { PROVIDER_TIMEOUT_MS: '1000' } });
    const { sandbox, deliver, get, told, available } = stand;
    for (const [type, meant] of Object.entries(TYPES)) {
      const before = await reach(stand, from);
      assert.equal(before.status, from);
      const payins = sandbox.describe().payins as { id: string; code: string }[];
      const payinId = payins.find(({ code }) => code === before.id)!.id;
      const [heard, had] = [(await told(before)).length, await available(before.userId)];
      const event = { type, data: { id: payinId, code: before.id, amount: 25.5, reasonDescription: 'because' } };
      const answer = await deliver(event);
      assert.equal(answer.text, '{"status":"ok","processed":true}', type);

      const [now, to] = [await get(before.id), becomes(from, meant)];
      assert.equal(now.status, to, type);
      const isNew = to !== from;
      assert.deepEqual(
        (await told(before)).slice(heard).map(([each]) => each),
        isNew ? EVENTS[to] : [],
        type,
      );
      assert.equal(await available(before.userId), isNew && to === SUCCEEDED ? '25.50' : had, type);
      if (!isNew) assert.deepEqual(now, before, type);
      else assert.equal(now.providerPayinId, payinId);
      assert.equal(
        (await deliver({ ...event, eventId: `again-${before.id}` })).text,
        '{"status":"ok","processed":true}',
      );
      assert.deepEqual(await get(before.id), now, 'the same told under another id changes nothing more');
    }
  });
}

test('an event about a new payment brings the address that its lost answer would have brought', async (t) => {
  const stand = await openPayments(t, { webhooks: false, env: { PROVIDER_TIMEOUT_MS: '1000' } });
  const lost = await reach(stand, CREATED);
  const [payin] = stand.sandbox.describe().payins as { id: string }[];
  await stand.deliver({ type: 'payin.created', data: { id: payin!.id, code: lost.id, amount: 25.5 } });
  const now = await stand.get(lost.id);
  assert.deepEqual([now.status, now.confirmationUri], [AWAITING, `${stand.sandbox.urls.payer}/payin/${payin!.id}`]);
});

test('an event about a new payment changes nothing while the provider cannot say where to confirm it', async (t) => {
  const stand = await openPayments(t, { webhooks: false, env: { PROVIDER_TIMEOUT_MS: '1000' } });
  const lost = await reach(stand, CREATED);
  const [payin] = stand.sandbox.describe().payins as { id: string }[];
  stand.arm({ operation: 'payin', fault: 'outage', count: 9 });
  const event = { type: 'payin.created', data: { id: payin!.id, code: lost.id, amount: 25.5 } };
  assert.equal((await stand.deliver(event)).text, '{"status":"ok","processed":true}');
  assert.deepEqual(await stand.get(lost.id), lost);
});
