// The poll of open escrows without webhooks: a state that the provider shows has the effect of its event, a state without
// proof changes nothing, and a funding that was only announced lapses.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../server/src/base/instant.ts';
import { pollEscrows } from '../../server/src/modules/webhooks/poll-escrows.ts';
import type { OpenEscrow } from '../../server/src/modules/webhooks/queries.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { type Any, openSharedWebhooks } from './webhook-escrow-fixture.ts';

const MINUTE_MICROS = 60_000_000;

const server = shareInFile(openSharedWebhooks);

test('a look takes over what was paid in, released and disputed without us, and nothing that is not there', async () => {
  const fixture = server();
  const who = await fixture.parties();
  const ask = { milestones: ['40.00', '60.00'] };
  const waiting = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
  const paid = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
  const untouched = await fixture.anOrder({ at: 'IN_PROGRESS', between: who, ...ask });
  const released = await fixture.anOrder({ at: 'IN_PROGRESS', between: who, ...ask });
  const disputed = await fixture.anOrder({ at: 'IN_PROGRESS', between: who });
  await fixture.payIn(waiting, '99.99');
  await fixture.payIn(paid);
  await fixture.act(untouched.id, 'seller', { kind: 'change-status', milestone: 0, status: 'done' });
  await fixture.releaseOutside(released);
  await fixture.act(disputed.id, 'seller', { kind: 'dispute' });

  const all = [waiting, paid, untouched, released, disputed];
  const { lookAt, troubles } = fixture.openEars();
  assert.equal(await lookAt(...all), true);
  assert.deepEqual(troubles, []);
  const statuses = async (): Promise<string[]> =>
    Promise.all(
      all.map(async ({ id }: Any) => {
        const { status, escrow } = await fixture.get(id);
        return `${status} ${escrow.status}`;
      }),
    );
  const expected = [
    ...['ESCROW_FUNDING CREATED', 'IN_PROGRESS FUNDED', 'IN_PROGRESS FUNDED', 'CLOSED RELEASED', 'DISPUTED DISPUTED'],
  ];
  assert.deepEqual(await statuses(), expected);
  assert.equal(
    (await fixture.get(untouched.id)).milestones[0].status,
    'OPEN',
    'milestones are not taken over by looking',
  );
  assert.deepEqual(await fixture.balance(who.seller), { available: '95.00', reserved: '0.00' });
  const told = 'select 1 from webhook_events where marketplace_id = $1';
  assert.deepEqual(await fixture.app.sql(told, [fixture.app.marketplaceId]), []);
  assert.equal(await lookAt(...all), true);
  assert.deepEqual(await statuses(), expected);
  assert.deepEqual(await fixture.balance(who.seller), { available: '95.00', reserved: '0.00' });
});

test('a decision without proof of whom it paid, and our own dispute, are left alone', async () => {
  const fixture = server();
  const who = await fixture.parties();
  const resolved = await fixture.anOrder({ at: 'IN_PROGRESS', between: who });
  const own = await fixture.anOrder({ at: 'IN_PROGRESS', between: who });
  await fixture.fault('resolve', 'refusal', { match: own.id });
  const refund = { body: { reason: 'Changed my mind' } };
  assert.equal((await fixture.app.call(`POST /orders/${own.id}/resolution/refund`, refund)).status, 500);
  assert.equal((await fixture.contractOf(own)).flags.disputed, true);
  // After the last transaction of ours: the next one reads from the ledger what the platform's wallet did outside.
  await fixture.resolveOutside(resolved, 'buyer');

  const { lookAt, troubles } = fixture.openEars();
  assert.equal(await lookAt(resolved, own), true);
  assert.deepEqual(troubles, []);
  for (const { id } of [resolved, own]) {
    const { status, dispute } = await fixture.get(id);
    assert.deepEqual([status, dispute], ['IN_PROGRESS', null]);
  }
  await fixture.expect(`POST /orders/${own.id}/resolution/refund`, { ...refund, status: 200 });
});

test('a funding that was announced and did not come lapses after ten minutes, and can be asked for', async () => {
  const fixture = server();
  const who = await fixture.parties();
  const order = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
  const paid = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
  for (const { id } of [order, paid]) {
    assert.equal(await fixture.deliver({ type: 'escrow.funding_started', data: { order_id: id } }), true);
  }
  const statuses = async () => [
    (await fixture.get(order.id)).escrow.status,
    (await fixture.get(paid.id)).escrow.status,
  ];
  assert.deepEqual(await statuses(), ['FUNDING', 'FUNDING']);
  await fixture.payIn(paid);
  const isLocked = async (): Promise<boolean> =>
    (await fixture.app.sql('select locked from reservations where order_ref = $1', [order.id]))[0].locked;
  await fixture.openEars(() => systemClock() + 9 * MINUTE_MICROS).lookAt(order, paid);
  assert.deepEqual([...(await statuses()), await isLocked()], ['FUNDING', 'FUNDED', true]);
  await fixture.openEars(() => systemClock() + 11 * MINUTE_MICROS).lookAt(order, paid);
  assert.deepEqual([...(await statuses()), await isLocked()], ['CREATED', 'FUNDED', false]);
  const [entry] = await fixture.audited('ESCROW_FUNDING_FAILED');
  assert.deepEqual([entry.result, entry.actor_id], ['FAILURE', 'escrow-poll']);
  assert.deepEqual(await fixture.balance(who.buyer), { available: '800.00', reserved: '100.00' });
  const funded = await fixture.expect(`POST /orders/${order.id}/escrow/fund`, { status: 201 });
  assert.equal(funded.status, 'IN_PROGRESS');
});

test('a silent provider is said to be silent; what cannot be taken is told, and does not keep the others from being taken', async () => {
  const fixture = server();
  const who = await fixture.parties();
  const robbed = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
  const paid = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
  await fixture.fault('get-escrow', 'outage', { match: paid.escrow.providerContractId, count: 10_000 });
  assert.equal(await fixture.openEars().lookAt(robbed, paid), false);
  await fixture.simulator('DELETE /faults');
  const body = { amount: '100.00', orderId: robbed.id };
  await fixture.expect(`POST /users/${who.buyer}/balance/release`, { body, status: 200 });
  await fixture.payIn(robbed);
  await fixture.payIn(paid);
  const { lookAt, troubles } = fixture.openEars();
  assert.equal(await lookAt(robbed, paid), true);
  assert.deepEqual(
    troubles.map((fault: Any) => fault.code),
    ['RESERVE_NOT_FOUND'],
  );
  assert.equal((await fixture.get(robbed.id)).status, 'ESCROW_FUNDING');
  assert.equal((await fixture.get(paid.id)).status, 'IN_PROGRESS');
});

test('the job goes round all open escrows in bounded steps, and ends a round that meets silence', async () => {
  const all = Array.from({ length: 250 }, (_, i) => ({
    marketplaceId: 'mkt_default',
    escrow: { id: `esc_${String(i).padStart(3, '0')}` },
  })) as unknown as OpenEscrow[];
  const looked: number[] = [];
  let silentAt = -1;
  const job = pollEscrows({
    async listOpen(after, limit) {
      const from = after === null ? 0 : all.findIndex(({ escrow }) => escrow.id === after.escrow.id) + 1;
      return all.slice(from, from + limit);
    },
    async poll(open) {
      looked.push(...open.map((one) => all.indexOf(one)));
      assert.ok(open.length <= 20);
      return !open.some((one) => all.indexOf(one) === silentAt);
    },
  });
  const round = async (): Promise<string> => {
    looked.length = 0;
    await job.run();
    return `${looked[0]} to ${looked.at(-1)}`;
  };
  assert.deepEqual(
    [await round(), await round(), await round(), await round()],
    [...['0 to 99', '100 to 199', '200 to 249', '0 to 99']],
  );
  silentAt = 125;
  assert.equal(await round(), '100 to 139');
  assert.equal(await round(), '140 to 239');
  assert.equal(job.schedule, '* * * * *');
});
