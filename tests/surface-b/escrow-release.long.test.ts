// POST /escrow/release for orders of Surface A, and when a provider refuses or does not answer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { HURRIED, openSharedPeople, refused } from './people-fixture.ts';

const NOT_RELEASABLE = { status: 400, message: 'Escrow is not in a releasable state' };

test('400 while the order is disputed', async (t) => {
  const { app, aFundedEscrow, call } = await openSharedPeople(t, { sandbox: true });
  const { buyer, projectId, escrow } = await aFundedEscrow();
  const [{ order_id: orderId }] = await app.sql('select order_id from projects where id = $1', [projectId]);
  const body = { orderId, openedBy: 'SELLER', reason: 'OTHER' };
  assert.equal((await app.call(`POST /orders/${orderId}/resolution/dispute`, { body })).status, 201);
  const release = { token: buyer.token, body: { escrow_id: escrow.escrow_id } };
  assert.deepEqual(refused(await call('POST /escrow/release', release)), NOT_RELEASABLE);
});

test('the buyer of an order of Surface A can release its escrow on Surface B', async (t) => {
  const { app, aPerson, done, balance } = await openSharedPeople(t, { sandbox: true });
  const buyer = await aPerson('200.00');
  const seller = await aPerson();
  const post = async (path: string, body?: object) =>
    (await app.call(`POST ${path}`, body ? { body } : {})).body.data.data;
  const { id } = await post('/orders', { buyerId: buyer.id, sellerId: seller.id, amount: '80.00' });
  await post(`/orders/${id}/reserve`);
  await post(`/orders/${id}/escrow`);
  const { escrow } = await post(`/orders/${id}/escrow/fund`);
  assert.deepEqual(await balance(buyer), [120, 80]);
  const released = await done('POST /escrow/release', { token: buyer.token, body: { escrow_id: escrow.id } });
  assert.equal(released.released_amount, 80);
  assert.deepEqual(await balance(seller), [76, 0]);
});

test('the released amount of Surface B leaves out what was refunded on Surface A', async (t) => {
  const { app, aPerson, done, balance } = await openSharedPeople(t, { sandbox: true });
  const buyer = await aPerson('100.00');
  const seller = await aPerson();
  const post = async (path: string, body?: object) =>
    (await app.call(`POST ${path}`, body ? { body } : {})).body.data.data;
  const milestones = [
    { ref: 'm1', title: 'First', amount: '40.00' },
    { ref: 'm2', title: 'Second', amount: '60.00' },
  ];
  const { id } = await post('/orders', { buyerId: buyer.id, sellerId: seller.id, amount: '100.00', milestones });
  await post(`/orders/${id}/reserve`);
  await post(`/orders/${id}/escrow`);
  const { escrow } = await post(`/orders/${id}/escrow/fund`);
  await post(`/orders/${id}/milestones/m1/refund`, { reason: 'Not delivered' });
  await post(`/orders/${id}/milestones/m2/complete`);
  const released = await done('POST /escrow/release', { token: buyer.token, body: { escrow_id: escrow.id } });
  assert.equal(released.released_amount, 60);
  assert.deepEqual(
    [await balance(buyer), await balance(seller)],
    [
      [40, 0],
      [57, 0],
    ],
  );
});

test('500 when the provider refuses: the escrow is still funded, and a repeat releases it', async (t) => {
  const { aPerson, aFundedEscrow, fault, call, done, balance } = await openSharedPeople(t, { sandbox: true });
  const { buyer, seller, escrow } = await aFundedEscrow({}, await aPerson());
  const release = { token: buyer.token, body: { escrow_id: escrow.escrow_id } };
  await fault('release', 'refusal');
  const { status, message } = refused(await call('POST /escrow/release', release));
  assert.equal(status, 500);
  assert.match(message, /The provider refused/);
  assert.deepEqual(await balance(buyer), [900, 100]);
  await done('POST /escrow/release', release);
  assert.deepEqual(await balance(seller), [95, 0]);
});

test('504 when the outcome is unknown: a job finishes the release, and the project shows it', async (t) => {
  const { aPerson, aFundedEscrow, fault, call, done, balance } = await openSharedPeople(t, {
    sandbox: true,
    env: HURRIED,
  });
  const { buyer, seller, escrow } = await aFundedEscrow({}, await aPerson());
  const release = { token: buyer.token, body: { escrow_id: escrow.escrow_id } };
  await fault('approve', 'timeout', { count: 2 });
  assert.deepEqual(refused(await call('POST /escrow/release', release)), {
    status: 504,
    message: 'The escrow is being released. The project will be completed in a few seconds',
  });
  assert.deepEqual(refused(await call('POST /escrow/release', release)), NOT_RELEASABLE);
  const read = async () => (await done('GET /projects', { token: buyer.token })).projects[0].status;
  await until(async () => (await read()) === 'completed', 'the project is completed');
  assert.deepEqual(await balance(seller), [95, 0]);
});
