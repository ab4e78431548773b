// GET /reports/open-work, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestApp } from '../support/app.ts';
import { openSharedOrders } from '../support/order-fixture.ts';
import { openApp } from '../support/shared-app.ts';
import { assertScope } from './report-fixture.ts';

const KINDS = [
  ...['disputes_open', 'disputes_under_review', 'breaks_open', 'operations_running', 'operations_stuck'],
  ...['withdrawals_created', 'withdrawals_committed', 'withdrawals_pending', 'withdrawals_pending_user_action'],
  ...['topups_created', 'topups_awaiting_user_confirmation', 'topups_processing'],
];

type Item = { kind: string; count: number; oldestAt: string | null };

const itemsOf = async (app: TestApp, key?: string): Promise<Item[]> => {
  const answer = await app.call('GET /reports/open-work', key === undefined ? {} : { key });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.data.countedMax, 1_000);
  return answer.body.data.items;
};

const waiting = async (app: TestApp, key?: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await itemsOf(app, key)).filter(({ count }) => count > 0).map(({ kind, count }) => [kind, count]),
  );

test('200 names every kind, with nothing waiting in a new marketplace', async (t) => {
  const items = await itemsOf(await openApp(t));
  assert.deepEqual(
    items,
    KINDS.map((kind) => ({ kind, count: 0, oldestAt: null })),
  );
});

test('200 counts disputes, stuck operations, withdrawals and top-ups with the age of the oldest', async (t) => {
  const fixture = await openSharedOrders(t);
  const who = await fixture.parties();
  await fixture.aDispute({ at: 'UNDER_REVIEW', between: who });
  const { id } = await fixture.anOrder({ at: 'FUNDS_RESERVED', between: who });
  t.after(() => fixture.simulator('DELETE /faults'));
  await fixture.fault('deploy', 'outage', { count: 50, match: id });
  await fixture.app.call(`POST /orders/${id}/escrow`);
  const destination = { type: 'bank', ref: 'bank-1', email: 'ada@example.com' };
  const asked = { userId: who.buyer, amount: '10.00', currency: 'USD', destination };
  const withdrawal = await fixture.expect('POST /withdrawals', { body: asked, status: 201 });
  await fixture.expect('POST /topups', { body: { userId: who.buyer, amount: '25.00' }, status: 201 });
  assert.deepEqual(await waiting(fixture.app), {
    disputes_under_review: 1,
    operations_running: 1,
    operations_stuck: 1,
    withdrawals_created: 1,
    topups_awaiting_user_confirmation: 1,
  });
  const item = (await itemsOf(fixture.app)).find(({ kind }) => kind === 'withdrawals_created');
  assert.equal(item?.oldestAt, withdrawal.createdAt);
  assert.deepEqual(await waiting(fixture.app, await fixture.app.key(['read'], 'mkt_other')), {});
});

test('401 and 403 without the scope to read', async (t) => {
  await assertScope(await openApp(t), 'GET /reports/open-work', 'read');
});
