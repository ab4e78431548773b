// Every event about a payment out, against every state of its withdrawal: the new state, the emitted events, and the
// balances. payout-states.test.ts checks some of the pairs, payout-states.long.test.ts all others.

import assert from 'node:assert/strict';
import type { WithdrawalStatus } from '@holdfast/contract/states.ts';
import type { Any } from './payment-fixture.ts';
import type { WithdrawalFixture } from './withdrawal-fixture.ts';

const CREATED = 'WITHDRAWAL_CREATED';
const COMMITTED = 'WITHDRAWAL_COMMITTED';
const PENDING = 'WITHDRAWAL_PENDING';
const ACTION = 'WITHDRAWAL_PENDING_USER_ACTION';
export const COMPLETED = 'WITHDRAWAL_COMPLETED';
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
/** The provider may switch between the last two states. */
const RANKS: Readonly<Record<string, number>> = { [CREATED]: 0, [COMMITTED]: 1, [PENDING]: 2, [ACTION]: 2 };

/** Only forward, and never out of a final state. */
const becomes = (from: WithdrawalStatus, reported: WithdrawalStatus): WithdrawalStatus => {
  if (ENDS.includes(from)) return from;
  return ENDS.includes(reported) || RANKS[reported]! > RANKS[from]! || (RANKS[reported] === 2 && RANKS[from] === 2)
    ? reported
    : from;
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

/** The user's balances in each state, of 100.00. */
export const BALANCES: Readonly<Record<WithdrawalStatus, string>> = {
  [CREATED]: '74.50 + 25.50',
  [COMMITTED]: '74.50 + 25.50',
  [PENDING]: '74.50 + 25.50',
  [ACTION]: '74.50 + 25.50',
  [COMPLETED]: '74.50 + 0.00',
  [FAILED]: '100.00 + 0.00',
  [CANCELED]: '100.00 + 0.00',
};

export const PROCESSED = '{"status":"ok","processed":true}';
export const NOT_PROCESSED = '{"status":"ok","processed":false}';

/** A withdrawal in that state, reached through requests and webhooks. */
const reach = async (fixture: WithdrawalFixture, state: WithdrawalStatus): Promise<Any> => {
  const { aWithdrawal, commit, deliver, get } = fixture;
  const made = await aWithdrawal();
  if (state === CREATED) return made;
  const committed = await commit(made.id);
  if (state === COMMITTED) return committed;
  const type = Object.entries(TYPES).find(([, reported]) => reported === state)![0];
  await deliver({ type, data: { id: committed.providerPayoutId, code: made.id, amount: 25.5 } });
  return get(made.id);
};

type PayoutEvent = keyof typeof TYPES;

/** In each state one event that moves it forward, if any, and one that changes nothing. Each event occurs at least once. */
export const CHOSEN: readonly (readonly [WithdrawalStatus, readonly PayoutEvent[]])[] = [
  [CREATED, ['payout.committed', 'payout.created']],
  [COMMITTED, ['payout.pending', 'payout.failed', 'payout.canceled', 'payout.created']],
  [PENDING, ['payout.pending_user_action', 'payout.committed']],
  [ACTION, ['payout.pending', 'payout.completed', 'payout.committed']],
  [COMPLETED, ['payout.failed']],
  [FAILED, ['payout.completed']],
  [CANCELED, ['payout.completed']],
];

/** The events that are not chosen in a state. */
export const othersThan = (chosen: readonly PayoutEvent[]): PayoutEvent[] =>
  (Object.keys(TYPES) as PayoutEvent[]).filter((type) => !chosen.includes(type));

/** A withdrawal in that state, and one event about it, sent twice under different ids. */
export const assertEvent = async (
  fixture: WithdrawalFixture,
  { from, type }: { from: WithdrawalStatus; type: PayoutEvent },
): Promise<void> => {
  const { deliver, get, eventsOf, balance } = fixture;
  const before = await reach(fixture, from);
  assert.deepEqual([before.status, await balance(before.userId)], [from, BALANCES[from]]);
  const payoutId = before.providerPayoutId ?? `unknown-payout-${before.id}`;
  const earlier = (await eventsOf(before)).length;
  const event = { type, data: { id: payoutId, code: before.id, amount: 25.5, reasonDescription: 'because' } };
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
  assert.equal(await balance(before.userId), BALANCES[to], type);
  if (isNew) assert.equal(now.providerPayoutId, payoutId);
  else assert.deepEqual(now, before, type);
  assert.equal((await deliver({ ...event, eventId: `again-${before.id}` })).text, PROCESSED);
  assert.deepEqual(await get(before.id), now, 'the same event under another id changes nothing more');
};
