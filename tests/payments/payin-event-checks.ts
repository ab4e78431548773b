// Every event about a payment in, against every state of its top-up: the new state, the emitted events, and the balances.
// webhook-states.test.ts checks some of the pairs, webhook-states.long.test.ts all others.

import assert from 'node:assert/strict';
import type { TopUpStatus } from '@holdfast/contract/states.ts';
import type { Any, PaymentFixture } from './payment-fixture.ts';

export const CREATED = 'TOPUP_CREATED';
export const AWAITING = 'TOPUP_AWAITING_USER_CONFIRMATION';
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

const PROCESSED = '{"status":"ok","processed":true}';

const ENDS: readonly TopUpStatus[] = [SUCCEEDED, FAILED, CANCELED];
const ORDER: readonly TopUpStatus[] = [CREATED, AWAITING, PROCESSING];

/** Only forward, and never out of a final state. */
const becomes = (from: TopUpStatus, reported: TopUpStatus): TopUpStatus => {
  if (ENDS.includes(from)) return from;
  return ENDS.includes(reported) || ORDER.indexOf(reported) > ORDER.indexOf(from) ? reported : from;
};

const EVENTS: Readonly<Record<string, readonly string[]>> = {
  [AWAITING]: ['topup.confirmation_required'],
  [PROCESSING]: ['topup.processing'],
  [SUCCEEDED]: ['balance.credited', 'topup.succeeded'],
  [FAILED]: ['topup.failed'],
  [CANCELED]: ['topup.canceled'],
};

/** A top-up in that state, reached through requests and webhooks. */
export const reach = async (fixture: PaymentFixture, state: TopUpStatus): Promise<Any> => {
  const { app, arm, aTopup, deliver, get } = fixture;
  if (state === CREATED) {
    arm({ operation: 'payin', fault: 'lost-answer' });
    const lost = await app.call('POST /topups', { body: { userId: await app.aUser(), amount: '25.50' } });
    assert.equal(lost.status, 504);
    return get(lost.body.error.details.topupId);
  }
  const made = await aTopup();
  if (state === AWAITING) return made;
  const type = Object.entries(TYPES).find(([, reported]) => reported === state)![0];
  await deliver({ type, data: { id: made.providerPayinId, code: made.id, amount: 25.5 } });
  return get(made.id);
};

type PayinEvent = keyof typeof TYPES;

/** In each state one event that moves it forward, if any, and one that changes nothing. Each event occurs at least once. */
export const CHOSEN: readonly (readonly [TopUpStatus, readonly PayinEvent[]])[] = [
  [CREATED, ['payin.created']],
  [AWAITING, ['payin.processing', 'payin.confirmed', 'payin.failed', 'payin.awaiting_user_confirmation']],
  [PROCESSING, ['payin.succeeded', 'payin.canceled', 'payin.created']],
  [SUCCEEDED, ['payin.failed']],
  [FAILED, ['payin.succeeded']],
  [CANCELED, ['payin.confirmed']],
];

/** The events that are not chosen in a state. */
export const othersThan = (chosen: readonly PayinEvent[]): PayinEvent[] =>
  (Object.keys(TYPES) as PayinEvent[]).filter((type) => !chosen.includes(type));

/** A top-up in that state, and one event about it, sent twice under different ids. */
export const assertEvent = async (
  fixture: PaymentFixture,
  { from, type }: { from: TopUpStatus; type: PayinEvent },
): Promise<void> => {
  const { payins, deliver, get, eventsOf, available } = fixture;
  const before = await reach(fixture, from);
  assert.equal(before.status, from);
  const payinId = payins().find(({ code }) => code === before.id)!.id;
  const earlier = (await eventsOf(before)).length;
  const had = await available(before.userId);
  const event = { type, data: { id: payinId, code: before.id, amount: 25.5, reasonDescription: 'because' } };
  assert.equal((await deliver(event)).text, PROCESSED, type);

  const now = await get(before.id);
  const to = becomes(from, TYPES[type]);
  assert.equal(now.status, to, type);
  const isNew = to !== from;
  assert.deepEqual(
    (await eventsOf(before)).slice(earlier).map(([each]) => each),
    isNew ? EVENTS[to] : [],
    type,
  );
  assert.equal(await available(before.userId), isNew && to === SUCCEEDED ? '25.50' : had, type);
  if (!isNew) assert.deepEqual(now, before, type);
  else assert.equal(now.providerPayinId, payinId);
  assert.equal((await deliver({ ...event, eventId: `again-${before.id}` })).text, PROCESSED);
  assert.deepEqual(await get(before.id), now, 'the same event under another id changes nothing more');
};
