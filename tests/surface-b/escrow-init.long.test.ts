// POST /escrow/init, the rare answers: what a key of the marketplace sees, other limits, another setting, and a second escrow.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../support/app.ts';
import { type Any, openSharedPeople, type PeopleFixture, refused } from './people-fixture.ts';

const TABLES = [
  'orders',
  'escrows',
  'operations',
  'reservations',
  'projects',
  'accounts',
  'postings',
  'events',
  'audit_entries',
];

/** The refusal, which must leave no trace. */
const refusalIn = async ({ app }: PeopleFixture, ask: () => Promise<Answer>) => {
  const texts = TABLES.map(
    (table) => `(select md5(string_agg(r::text, ';' order by r::text)) from ${table} r) as ${table}`,
  );
  const look = async () => (await app.sql(`select ${texts.join(', ')}`))[0];
  const before = await look();
  const found = refused(await ask());
  assert.deepEqual(await look(), before, 'a refusal leaves no trace');
  return found;
};

/** A buyer with a project of 500.00 and so much money, and a seller. */
const openProject = async (fixture: PeopleFixture, available = '1000.00') => {
  const buyer = await fixture.aPerson(available);
  const seller = await fixture.aPerson();
  const { id: projectId } = await fixture.aProject(buyer);
  return { buyer, seller, projectId };
};

test('a key of the marketplace sees the order, its escrow, its events and its audit entries', async (t) => {
  const fixture = await openSharedPeople(t, { sandbox: true });
  const { buyer, seller, projectId, escrow } = await fixture.aFundedEscrow();
  const { data: orders } = (await fixture.app.call(`GET /orders?buyerId=${buyer.id}`)).body.data;
  assert.equal(orders.length, 1);
  const [order] = orders;
  assert.deepEqual(
    [order.status, order.sellerId, order.amount, order.platformFee],
    ['IN_PROGRESS', seller.id, '100.00', '5.00'],
  );
  assert.deepEqual([order.title, order.description, order.metadata], ['Logo', 'Two drafts', { projectId }]);
  assert.deepEqual([order.escrow.id, order.escrow.status], [escrow.escrow_id, 'FUNDED']);
  const { data: entries } = (await fixture.app.call(`GET /audit/logs?resourceId=${order.id}&limit=100`)).body.data;
  assert.deepEqual(entries.map(({ action }: Any) => action).reverse(), [
    'ORDER_CREATED',
    'ORDER_FUNDS_RESERVED',
    'ESCROW_CREATE_REQUESTED',
  ]);
  const { data: ofProject } = (await fixture.app.call(`GET /audit/logs?resourceId=${projectId}`)).body.data;
  assert.deepEqual(ofProject.map(({ action }: Any) => action).reverse(), [
    'PROJECT_CREATED',
    'PROJECT_ESCROW_REQUESTED',
    'PROJECT_ESCROW_ANSWERED',
  ]);
});

test('400 for an amount beyond the limits of an order', async (t) => {
  const fixture = await openSharedPeople(t, { env: { ORDER_AMOUNT_MIN: '5.00', ORDER_AMOUNT_MAX: '50.00' } });
  const { seller, projectId } = await openProject(fixture);
  for (const amount of [4.99, 50.01]) {
    const body = fixture.initBody(projectId, seller.id, { amount });
    assert.deepEqual(await refusalIn(fixture, () => fixture.call('POST /escrow/init', { body })), {
      status: 400,
      message: 'The amount is beyond the limits of an order',
      errors: ['Amount must be from 5.00 to 50.00'],
    });
  }
});

test('with ESCROW_INIT_AUTH=required only the owner succeeds', async (t) => {
  const fixture = await openSharedPeople(t, { sandbox: true, env: { ESCROW_INIT_AUTH: 'required' } });
  const { buyer, seller, projectId } = await openProject(fixture);
  const body = fixture.initBody(projectId, seller.id);
  assert.deepEqual(refused(await fixture.call('POST /escrow/init', { body })), {
    status: 401,
    message: 'Missing or invalid authorization token',
  });
  assert.equal(refused(await fixture.call('POST /escrow/init', { token: seller.token, body })).status, 401);
  assert.equal((await fixture.done('POST /escrow/init', { token: buyer.token, body })).status, 'funded');
});

test('400 for a second escrow of one project, the same or another, also when the first was released', async (t) => {
  const fixture = await openSharedPeople(t, { sandbox: true });
  const { buyer, seller, projectId, escrow } = await fixture.aFundedEscrow();
  const again = { status: 400, message: 'The project already has an escrow' };
  await fixture.atRest();
  const ask = (more: object = {}) =>
    fixture.call('POST /escrow/init', { body: fixture.initBody(projectId, seller.id, more) });
  assert.deepEqual(await refusalIn(fixture, () => ask()), again);
  assert.deepEqual(await refusalIn(fixture, () => ask({ amount: 50 })), again);
  await fixture.done('POST /escrow/release', { token: buyer.token, body: { escrow_id: escrow.escrow_id } });
  await fixture.atRest();
  assert.deepEqual(await refusalIn(fixture, () => ask()), again);
  assert.deepEqual(await fixture.balance(buyer), [900, 0]);
});
