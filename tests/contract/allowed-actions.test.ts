// `allowedActions` of a refusal names exactly the actions that would be accepted now. Every action is previewed on orders in every
// state: an action that is listed is accepted, and one that is not listed is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../support/app.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { openTrade, type Row, TWO_MILESTONES } from './order-fixture.ts';

const opened = shareInFile((t) => openTrade(t, { sandbox: true, available: '9000.00' }));

type Action = { readonly name: string; readonly request: string; readonly body?: object };

const PARTY = { openedBy: 'BUYER', reason: 'OTHER' };
const WHY = { reason: 'agreed' };

const orderActions = (id: string): Action[] => [
  { name: 'reserve', request: `POST /orders/${id}/reserve` },
  { name: 'cancel', request: `POST /orders/${id}/cancel` },
  { name: 'create_escrow', request: `POST /orders/${id}/escrow` },
  { name: 'fund_escrow', request: `POST /orders/${id}/escrow/fund` },
  { name: 'release', request: `POST /orders/${id}/resolution/release` },
  { name: 'refund', request: `POST /orders/${id}/resolution/refund`, body: WHY },
  { name: 'dispute', request: `POST /orders/${id}/resolution/dispute`, body: { ...PARTY, orderId: id } },
];

const milestoneActions = (id: string, ref: string): Action[] => [
  { name: 'complete', request: `POST /orders/${id}/milestones/${ref}/complete` },
  { name: 'release', request: `POST /orders/${id}/milestones/${ref}/release` },
  { name: 'refund', request: `POST /orders/${id}/milestones/${ref}/refund`, body: WHY },
  { name: 'dispute', request: `POST /orders/${id}/milestones/${ref}/dispute`, body: PARTY },
];

const DRY_RUN = { headers: { 'dry-run': 'true' } };

const preview = ({ request, body }: Action): Promise<Answer> =>
  opened().app.call(request, { ...DRY_RUN, ...(body === undefined ? {} : { body }) });

type Tried = { readonly accepted: string[]; readonly listed: string[][] };

/** The actions whose previews are accepted, and the list of each refusal that has one. */
const tryAll = async (actions: readonly Action[]): Promise<Tried> => {
  const accepted: string[] = [];
  const listed: string[][] = [];
  for (const action of actions) {
    const { status, body } = await preview(action);
    const details = body.error?.details ?? {};
    if (status < 300) accepted.push(action.name);
    else if (details.allowedActions) listed.push(details.allowedActions);
  }
  return { accepted, listed };
};

/** The lists of the order's own actions name exactly what is accepted, of the order and of any of its milestones. */
const assertExact = async (order: Row, expected: readonly string[]): Promise<void> => {
  const { accepted, listed } = await tryAll(orderActions(order.id));
  const ofMilestones = new Set<string>();
  for (const { ref } of order.milestones as { ref: string }[]) {
    const own = await tryAll(milestoneActions(order.id, ref));
    for (const name of own.accepted) ofMilestones.add(`${name}_milestone`);
    const byState = own.listed.filter((list) => list.every((name) => !name.includes('_') && name !== 'cancel'));
    if (order.milestones.length > 1 && expected.includes('refund'))
      for (const list of byState) assert.deepEqual([...list].sort(), [...own.accepted].sort(), ref);
  }
  const all = [...accepted, ...ofMilestones].sort();
  assert.deepEqual(all, [...expected].sort(), `accepted in ${order.status}`);
  assert.ok(listed.length > 0, 'some action is refused with a list');
  for (const list of listed) assert.deepEqual([...list].sort(), all, `listed in ${order.status}`);
};

test('before the escrow: by the money of the buyer and the status of the users', async () => {
  const trade = opened();
  await assertExact(await trade.anOrder(), ['reserve', 'cancel']);
  await assertExact(await trade.anOrder({ amount: '9999.00' }), ['cancel']);
  await assertExact(await trade.anOrder({ at: 'FUNDS_RESERVED' }), ['cancel', 'create_escrow']);
  const seller = await trade.app.aUser();
  const between = { buyer: trade.buyerId, seller };
  const order = await trade.anOrder({ at: 'FUNDS_RESERVED', between });
  await trade.done(`POST /users/${seller}/suspend`);
  await assertExact(order, ['cancel']);
  await assertExact(await trade.anOrder({ at: 'ESCROW_FUNDING' }), ['fund_escrow']);
});

test('in progress: by the state of the milestones', async () => {
  const trade = opened();
  await assertExact(await trade.anOrder({ at: 'IN_PROGRESS' }), ['release', 'refund', 'dispute']);
  const single = await trade.anOrder({ at: 'IN_PROGRESS', milestones: 1 });
  await assertExact(single, ['complete_milestone', 'refund', 'dispute']);
  const order = await trade.anOrder({ at: 'IN_PROGRESS', milestones: TWO_MILESTONES });
  const ofParts = ['refund_milestone', 'dispute_milestone'];
  await assertExact(order, ['complete_milestone', 'refund', 'dispute', ...ofParts]);
  await trade.done(`POST /orders/${order.id}/milestones/draft/complete`);
  await assertExact(order, ['complete_milestone', 'refund', 'dispute', 'release_milestone', ...ofParts]);
  await trade.done(`POST /orders/${order.id}/milestones/final/complete`);
  await assertExact(order, ['release', 'refund', 'dispute', 'release_milestone', ...ofParts]);
  await trade.done(`POST /orders/${order.id}/milestones/draft/release`);
  await assertExact(order, ['release', 'refund', 'dispute', 'release_milestone', ...ofParts]);
});

test('a disputed milestone stops the settlement of the whole order; a disputed or closed order accepts nothing', async () => {
  const trade = opened();
  const order = await trade.anOrder({ at: 'IN_PROGRESS', milestones: TWO_MILESTONES });
  await trade.done(`POST /orders/${order.id}/milestones/draft/dispute`, { body: PARTY });
  const left = await tryAll(orderActions(order.id));
  assert.deepEqual(left.accepted, []);
  for (const list of left.listed)
    assert.deepEqual(list, ['complete_milestone', 'refund_milestone', 'dispute_milestone']);
  const { orderId } = await trade.aDispute();
  await assertExact(await trade.done(`GET /orders/${orderId}`), []);
  const { id } = await trade.anOrder();
  await assertExact(await trade.done(`POST /orders/${id}/cancel`), []);
});

test('a policy that gives actions to the parties only takes them from the list of an operator', async () => {
  const trade = opened();
  const rules = { allow: { release: ['buyer'], cancel: ['buyer'], complete_milestone: ['seller'] } };
  await trade.done('POST /policies', { body: { name: 'parties-only', rules } });
  const order = await trade.anOrder({ at: 'IN_PROGRESS', policy: 'parties-only' });
  const refused = await trade.refused(`POST /orders/${order.id}/reserve`);
  assert.deepEqual(refused.details?.allowedActions, ['refund', 'dispute']);
  assert.deepEqual((await tryAll(orderActions(order.id))).accepted, ['refund', 'dispute']);
});
