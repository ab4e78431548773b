// A dispute that a party opens in the contract, after a milestone was refunded or disputed through the server: it is opened here too,
// by the event and by the poll, and the automatic release does not pay the disputed milestone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { openSharedWebhooks, openWebhooks } from '../contract/webhook-escrow-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';

const server = shareInFile(openSharedWebhooks);

const at = (id: string, ref: string, action: string): string => `POST /orders/${id}/milestones/${ref}/${action}`;

const anOrder = async (): Promise<string> => {
  const { done, anOrder: make } = server();
  const { id: policy } = await done('POST /policies', { body: { name: 'later', rules: { autoReleaseAfter: 'P9D' } } });
  const { id } = await make({ at: 'IN_PROGRESS', milestones: ['40.00', '30.00', '30.00'], policy });
  for (const ref of ['m1', 'm2', 'm3']) await done(at(id, ref, 'complete'));
  return id;
};

const disputeOf = async (id: string, ref: string): Promise<string> => {
  const body = { openedBy: 'BUYER', reason: 'OTHER' };
  const { milestones } = await server().done(at(id, ref, 'dispute'), { body });
  return milestones.find((each: { ref: string }) => each.ref === ref).disputeId;
};

const resolve = async (disputeId: string): Promise<void> => {
  const { done } = server();
  await done(`POST /disputes/${disputeId}/assign`, { body: { assignedTo: 'agent-7' } });
  await done(`POST /disputes/${disputeId}/resolve`, { body: { decision: 'FULL_REFUND' } });
};

const BEFORE: Record<string, (id: string) => Promise<unknown>> = {
  'was refunded': (id) => server().done(at(id, 'm1', 'refund'), { body: { reason: 'Not delivered' } }),
  'was disputed and decided': async (id) => resolve(await disputeOf(id, 'm1')),
  'is disputed': (id) => disputeOf(id, 'm1'),
};

const statuses = async (id: string): Promise<string> => {
  const { status, milestones } = await server().get(id);
  return [status, ...milestones.map((each: { status: string }) => each.status)].join(' ');
};

const REPORTS: Record<string, (id: string) => Promise<unknown>> = {
  'a signed event': (id) => server().deliver({ type: 'escrow.disputed', data: { order_id: id } }),
  'a hint': (id) => server().deliver({ type: 'escrow.disputed', data: { order_id: id }, signed: false }),
  async 'the poll'(id) {
    const { lookAt, troubles } = server().openEars();
    await lookAt({ id });
    assert.deepEqual(troubles, []);
  },
};

for (const [before, prepare] of Object.entries(BEFORE)) {
  for (const [report, tell] of Object.entries(REPORTS)) {
    test(`${report} of a party's dispute counts although another milestone ${before}`, async () => {
      const { act, get, done } = server();
      const id = await anOrder();
      await prepare(id);
      const first = (await get(id)).milestones[0].status;
      await tell(id);
      assert.equal(await statuses(id), `IN_PROGRESS ${first} COMPLETED COMPLETED`, 'our own dispute opens no other');

      await act(id, 'buyer', { kind: 'dispute', milestone: 1 });
      await tell(id);
      assert.equal(await statuses(id), `IN_PROGRESS ${first} DISPUTED COMPLETED`);
      const refused = await server().app.call(`POST /orders/${id}/resolution/release`, { body: {} });
      assert.equal(refused.body.error.code, 'DISPUTE_ALREADY_OPEN');

      await tell(id);
      assert.equal(await statuses(id), `IN_PROGRESS ${first} DISPUTED COMPLETED`, 'a second report changes nothing');
      if (first === 'DISPUTED') await resolve((await get(id)).milestones[0].disputeId);
      await resolve((await get(id)).milestones[1].disputeId);
      await done(at(id, 'm3', 'release'), { body: {} });
      const { finalStatus, paid } = await get(id);
      assert.deepEqual([finalStatus, paid.buyer, paid.left], ['SPLIT', '70.00', '0.00']);
    });
  }
}

test('two milestones are disputed at the same time: the order shows the newest open dispute, and a preview the one that it resolves', async () => {
  const { app, get, done } = server();
  const id = await anOrder();
  const first = await disputeOf(id, 'm1');
  const second = await disputeOf(id, 'm2');
  assert.equal((await get(id)).dispute.id, second);
  const body = { decision: 'SPLIT', releaseAmount: '0.00', refundAmount: '40.00' };
  await done(`POST /disputes/${first}/assign`, { body: { assignedTo: 'agent-7' } });
  const preview = await app.call(`POST /disputes/${first}/resolve`, { body, headers: { 'dry-run': 'true' } });
  assert.deepEqual([preview.body.data.reply.id, preview.body.data.reply.status], [first, 'RESOLVED']);
  await resolve(second);
  assert.equal((await get(id)).dispute.id, first, 'the one that is open');
  await done(`POST /disputes/${first}/resolve`, { body });
  assert.equal(await statuses(id), 'IN_PROGRESS REFUNDED REFUNDED COMPLETED', 'a split with nothing for the seller');
});

test('an automatic release stops at a dispute that only the contract shows', async (t) => {
  const { app, act, parties, anOrder: make, done, get, balance } = await openWebhooks(t);
  const { id: policy } = await done('POST /policies', { body: { name: 'soon', rules: { autoReleaseAfter: 'P9D' } } });
  const between = await parties();
  const { id } = await make({ at: 'IN_PROGRESS', between, policy });
  await act(id, 'buyer', { kind: 'dispute' });
  await done('POST /sandbox/clock/advance', { body: { seconds: 9 * 86_400 } });
  const releases = `select 1 from operations where order_id = $1 and kind = 'release' and state = 'FAILED'`;
  await until(async () => (await app.sql(releases, [id])).length > 0, 'the refused release');
  assert.match((await get(id)).status, /^(IN_PROGRESS|RELEASE_REQUESTED)$/, 'it may be tried again');
  assert.deepEqual(await balance(between.seller), { available: '0.00', reserved: '0.00' });
  assert.equal(
    (
      await app.call(`POST /orders/${id}/resolution/dispute`, {
        body: { orderId: id, openedBy: 'BUYER', reason: 'OTHER' },
      })
    ).status,
    201,
  );
});

test('an event that names no milestone waits while the provider cannot be read', async () => {
  const { act, fault, deliver, eventRow } = server();
  const id = await anOrder();
  await BEFORE['was refunded']?.(id);
  await act(id, 'buyer', { kind: 'dispute', milestone: 1 });
  const { escrow } = await server().get(id);
  await fault('get-escrow', 'outage', { match: escrow.providerContractId, count: 100 });
  assert.equal(await deliver({ type: 'escrow.disputed', data: { order_id: id }, eventId: 'waits' }), false);
  assert.equal((await eventRow('waits')).state, 'PENDING');
  assert.equal(await statuses(id), 'IN_PROGRESS REFUNDED COMPLETED COMPLETED');
});
