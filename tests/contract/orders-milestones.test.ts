// GET /orders/{id}/milestones and POST /orders/{id}/milestones/{ref}/complete, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INVALID_STATE, openTrade, TWO_MILESTONES, tradeIn, UNKNOWN } from './order-fixture.ts';

const FIRST = { ref: 'sketch', title: 'Sketch', amount: '10.00' };
const LATER = [
  { ref: 'draft', title: 'First draft', amount: '30.00' },
  { ref: 'final', title: 'Final version', amount: '60.00' },
];
const OPEN = { status: 'OPEN', completedAt: null };

test('200 lists the milestones in the order in which they were given, all on one page', async (t) => {
  const { app, anOrder } = await openTrade(t);
  const milestones = Array.from({ length: 10 }, (_, i) => ({ ref: `m${9 - i}`, title: `Part ${i}`, amount: '10.00' }));
  const { id } = await anOrder({ milestones });
  const answer = await app.call(`GET /orders/${id}/milestones`);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body.data, {
    success: true,
    data: milestones.map((milestone) => ({ ...milestone, ...OPEN })),
    hasMore: false,
    nextCursor: null,
  });
});

test('200 with an empty list for an order without milestones', async (t) => {
  const { anOrder, done } = await openTrade(t);
  assert.deepEqual(await done(`GET /orders/${(await anOrder()).id}/milestones`), []);
});

test('201 completes one while the order is IN_PROGRESS; 400 INVALID_STATE the second time, and for a release, which names those that are open', async (t) => {
  const trade = await openTrade(t, { sandbox: true });
  const { id } = await trade.anOrder({ at: 'IN_PROGRESS', milestones: [FIRST, ...LATER] });
  const complete = `POST /orders/${id}/milestones/draft/complete`;
  const answer = await trade.app.call(complete);
  assert.equal(answer.status, 201);
  const { status, milestones } = answer.body.data.data;
  const [first, draft, final] = milestones;
  assert.equal(status, 'IN_PROGRESS');
  assert.deepEqual([first.status, draft.status, final.status], ['OPEN', 'COMPLETED', 'OPEN']);
  assert.match(draft.completedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.deepEqual(await trade.done(`GET /orders/${id}/milestones`), milestones);
  assert.deepEqual(await trade.refused(complete), INVALID_STATE('COMPLETED', ['release', 'refund', 'dispute']));
  const release = await trade.app.call(`POST /orders/${id}/resolution/release`);
  assert.deepEqual([release.status, release.body.error.code], [400, 'INVALID_STATE']);
  assert.match(release.body.error.message, /sketch, final/);
  assert.deepEqual(release.body.error.details.incompleteMilestones, ['sketch', 'final']);
});

test('400 INVALID_STATE for completing one before the order is IN_PROGRESS, with what is allowed instead', async (t) => {
  const { anOrder, done, refused } = await openTrade(t);
  const { id } = await anOrder({ milestones: TWO_MILESTONES });
  const complete = `POST /orders/${id}/milestones/draft/complete`;
  assert.deepEqual(await refused(complete), INVALID_STATE('ORDER_CREATED', ['reserve', 'cancel']));
  await done(`POST /orders/${id}/reserve`);
  assert.deepEqual(await refused(complete), INVALID_STATE('FUNDS_RESERVED', ['cancel', 'create_escrow']));
  await done(`POST /orders/${id}/cancel`);
  assert.deepEqual(await refused(complete), INVALID_STATE('CLOSED', []));
});

test('a reference may hold what a path has to spell differently', async (t) => {
  const { anOrder, refused } = await openTrade(t);
  const refs = ['a b', 'a/b', 'ü?#%', '...', '😀'.repeat(120)];
  const milestones = refs.map((ref) => ({ ref, title: ref.slice(0, 10), amount: '20.00' }));
  const { id } = await anOrder({ milestones });
  for (const ref of refs) {
    const { code } = await refused(`POST /orders/${id}/milestones/${encodeURIComponent(ref)}/complete`);
    assert.equal(code, 'INVALID_STATE', ref);
  }
});

test('404 MILESTONE_NOT_FOUND names the references that there are', async (t) => {
  const { anOrder, refused } = await openTrade(t);
  const plain = await anOrder();
  const parted = await anOrder({ milestones: TWO_MILESTONES });
  const missing = (milestoneRefs: string[]) => ({
    status: 404,
    code: 'MILESTONE_NOT_FOUND',
    details: { milestoneRefs },
  });
  assert.deepEqual(await refused(`POST /orders/${plain.id}/milestones/draft/complete`), missing([]));
  assert.deepEqual(await refused(`POST /orders/${parted.id}/milestones/Draft/complete`), missing(['draft', 'final']));
});

test('404 ORDER_NOT_FOUND for unknown ids and for orders of another marketplace', async (t) => {
  const { app, anOrder } = await openTrade(t);
  const { id } = await anOrder({ milestones: TWO_MILESTONES });
  const other = await tradeIn(app, { key: await app.key(['*'], 'mkt_other') });
  for (const each of [id, UNKNOWN.order, 'nonsense']) {
    for (const request of [`GET /orders/${each}/milestones`, `POST /orders/${each}/milestones/draft/complete`]) {
      const { status, code } = await other.refused(request);
      assert.deepEqual([status, code], [404, 'ORDER_NOT_FOUND'], request);
    }
  }
});
