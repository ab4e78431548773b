// What is refused about one milestone, by status, and that a refusal changes nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTrade, type Row, type Trade, TWO_MILESTONES, UNKNOWN } from '../contract/order-fixture.ts';
import { MASTER_KEY } from '../support/app.ts';
import { shareInFile } from '../support/share-in-file.ts';

const at = (id: string, ref: string, action: string): string => `POST /orders/${id}/milestones/${ref}/${action}`;
const REQUESTS: readonly (readonly [action: string, body: object])[] = [
  ['release', {}],
  ['refund', { reason: 'Not delivered' }],
  ['dispute', { openedBy: 'SELLER', reason: 'OTHER' }],
];

const opened = shareInFile(async (t) => {
  const trade = await openTrade(t, { sandbox: true, available: '1000.00' });
  return { trade, order: await trade.anOrder({ at: 'IN_PROGRESS', milestones: TWO_MILESTONES }) };
});

const codes = async (trade: Trade, order: Row, ref: string): Promise<string[]> => {
  const found: string[] = [];
  await trade.allRefused(async (refused) => {
    for (const [action, body] of REQUESTS) {
      const { status, code } = await refused(at(order.id, ref, action), { body });
      found.push(`${action} ${status} ${code}`);
    }
  });
  return found;
};

const each = (code: string): string[] => REQUESTS.map(([action]) => `${action} ${code}`);

test('404 for an order and for a milestone that do not exist', async () => {
  const { trade, order } = opened();
  assert.deepEqual(await codes(trade, { id: UNKNOWN.order }, 'draft'), each('404 ORDER_NOT_FOUND'));
  assert.deepEqual(await codes(trade, order, 'nothing'), each('404 MILESTONE_NOT_FOUND'));
});

test('400 INVALID_STATE for an order with one milestone or none names the routes of the whole order', async () => {
  const { trade } = opened();
  const single = await trade.anOrder({ at: 'IN_PROGRESS', milestones: 1 });
  const none = await trade.anOrder();
  for (const order of [single, none]) {
    assert.deepEqual(await codes(trade, order, 'm1'), each('400 INVALID_STATE'));
    const { body } = await trade.app.call(at(order.id, 'm1', 'release'));
    assert.match(body.error.message, new RegExp(`POST /orders/${order.id}/resolution/release`));
  }
});

test('allowedActions names only what the order would accept now', async () => {
  const { trade } = opened();
  const allowed = async (request: string): Promise<unknown> => (await trade.refused(request)).details?.allowedActions;
  const single = await trade.anOrder({ at: 'IN_PROGRESS', milestones: 1 });
  const [{ ref }] = single.milestones;
  assert.deepEqual(await allowed(at(single.id, ref, 'release')), ['complete_milestone', 'refund', 'dispute']);
  await trade.done(at(single.id, ref, 'complete'));
  assert.deepEqual(await allowed(at(single.id, ref, 'release')), ['release', 'refund', 'dispute']);

  const order = await trade.anOrder({ at: 'IN_PROGRESS', milestones: TWO_MILESTONES });
  const common = ['complete_milestone', 'refund', 'dispute'];
  assert.deepEqual(await allowed(`POST /orders/${order.id}/cancel`), [
    ...common,
    'refund_milestone',
    'dispute_milestone',
  ]);
  await trade.done(at(order.id, 'draft', 'complete'));
  assert.deepEqual(await allowed(`POST /orders/${order.id}/resolution/release`), [
    ...common,
    'release_milestone',
    'refund_milestone',
    'dispute_milestone',
  ]);
});

test('400 INVALID_STATE before the escrow is funded, for a release of an open milestone, and for a second payment', async () => {
  const { trade } = opened();
  const early = await trade.anOrder({ at: 'ESCROW_FUNDING', milestones: TWO_MILESTONES });
  assert.deepEqual(await codes(trade, early, 'draft'), each('400 INVALID_STATE'));
  const order = await trade.anOrder({ at: 'IN_PROGRESS', milestones: TWO_MILESTONES });
  const open = await trade.refused(at(order.id, 'draft', 'release'));
  assert.deepEqual(open, {
    status: 400,
    code: 'INVALID_STATE',
    details: { currentState: 'OPEN', allowedActions: ['complete', 'refund', 'dispute'] },
  });
  await trade.done(at(order.id, 'draft', 'refund'), { body: { reason: 'Not delivered' } });
  assert.deepEqual(await codes(trade, order, 'draft'), each('400 INVALID_STATE'));
  const again = await trade.refused(at(order.id, 'draft', 'complete'));
  assert.deepEqual([again.code, again.details?.currentState], ['INVALID_STATE', 'REFUNDED']);
});

test('400 VALIDATION_ERROR for a refund without a reason, an unknown field and a dispute without an opener', async () => {
  const { trade, order } = opened();
  await trade.allRefused(async (refused) => {
    for (const [action, body] of [
      ['refund', {}],
      ['refund', { reason: ' ' }],
      ['release', { amount: '1.00' }],
      ['dispute', { reason: 'OTHER' }],
    ] as const) {
      const { status, code } = await refused(at(order.id, 'draft', action), { body });
      assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], `${action} ${JSON.stringify(body)}`);
    }
  });
});

test('401 and 403: a caller without a key, and one that may only read', async () => {
  const { trade, order } = opened();
  const { app } = trade;
  const made = await app.call('POST /auth/api-keys', { key: MASTER_KEY, body: { name: 'reader', scopes: ['read'] } });
  const reader = made.body.data.key;
  for (const [action, body] of REQUESTS) {
    assert.equal((await app.call(at(order.id, 'draft', action), { body, key: null })).status, 401);
    assert.equal((await app.call(at(order.id, 'draft', action), { body, key: reader })).status, 403);
  }
});
