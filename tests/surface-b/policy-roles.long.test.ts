// The roles that an order's policy gives the release to, on both surfaces: the buyer acts through Surface B, the operator with a key.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '../support/app.ts';
import { type Any, openSharedPeople, type PeopleFixture, refused } from './people-fixture.ts';

let named = 0;

/** A funded order between two people, with a policy that gives the release to these roles. */
const aFundedOrder = async ({ app, aPerson }: PeopleFixture, roles: readonly string[]) => {
  const buyer = await aPerson('100.00');
  const seller = await aPerson();
  const post = async (path: string, body?: object): Promise<Any> => {
    const answer = await app.call(`POST ${path}`, body ? { body } : {});
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data.data ?? answer.body.data;
  };
  const rules = { allow: { release: roles } };
  const { id: policy } = await post('/policies', { name: `release by ${roles.join(' or ')} ${++named}`, rules });
  const terms = { buyerId: buyer.id, sellerId: seller.id, amount: '100.00', policy };
  const { id } = await post('/orders', terms);
  await post(`/orders/${id}/reserve`);
  await post(`/orders/${id}/escrow`);
  const { escrow } = await post(`/orders/${id}/escrow/fund`);
  return { id, buyer, seller, release: { token: buyer.token, body: { escrow_id: escrow.id } } };
};

test('release by the operator: the buyer is refused with 403 in the envelope of Surface B, and a key releases', async (t) => {
  const people = await openSharedPeople(t, { sandbox: true });
  const { app, call, balance } = people;
  const { id, buyer, seller, release } = await aFundedOrder(people, ['operator']);
  assert.deepEqual(refused(await call('POST /escrow/release', release)), {
    status: 403,
    message: "The order's policy does not allow this caller to release. Allowed: operator.",
  });
  assert.deepEqual(await balance(buyer), [0, 100]);
  assert.equal((await app.call(`POST /orders/${id}/resolution/release`)).status, 200);
  assert.deepEqual(
    [await balance(buyer), await balance(seller)],
    [
      [0, 0],
      [95, 0],
    ],
  );
});

test('release by the buyer: a key is refused with 403 on Surface A, and the buyer releases on Surface B', async (t) => {
  const people = await openSharedPeople(t, { sandbox: true });
  const { app, call, done, balance } = people;
  const { id, seller, release } = await aFundedOrder(people, ['buyer']);
  assert.equal(codeOf(await app.call(`POST /orders/${id}/resolution/release`)), '403 POLICY_FORBIDS');
  const asSeller = await call('POST /escrow/release', { ...release, token: seller.token });
  assert.deepEqual(refused(asSeller), { status: 401, message: 'Only the buyer can release the escrow' });
  assert.deepEqual(await balance(seller), [0, 0]);
  assert.equal((await done('POST /escrow/release', release)).released_amount, 100);
  assert.deepEqual(await balance(seller), [95, 0]);
});

test('release by both: the buyer and a key can release', async (t) => {
  const people = await openSharedPeople(t, { sandbox: true });
  const { app, done } = people;
  const byBuyer = await aFundedOrder(people, ['operator', 'buyer']);
  assert.equal((await done('POST /escrow/release', byBuyer.release)).status, 'released');
  const byKey = await aFundedOrder(people, ['operator', 'buyer']);
  assert.equal((await app.call(`POST /orders/${byKey.id}/resolution/release`)).status, 200);
});
