// POST /escrow/release, by status and message. escrow-release.long.test.ts has orders of Surface A, and providers that fail.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedPeople, refused } from './people-fixture.ts';

const NOT_RELEASABLE = { status: 400, message: 'Escrow is not in a releasable state' };

test('200 pays the seller less the fee, answers the amount of the escrow, and completes the project', async (t) => {
  const { aPerson, aFundedEscrow, call, done, balance } = await openSharedPeople(t, { sandbox: true });
  const { buyer, seller, escrow } = await aFundedEscrow({ amount: 100.01 }, await aPerson());
  const answer = await call('POST /escrow/release', { token: buyer.token, body: { escrow_id: escrow.escrow_id } });
  assert.equal(answer.body.message, 'Escrow released successfully');
  const { released_at, ...rest } = answer.body.data;
  assert.match(released_at, /^\d{4}-/);
  assert.deepEqual(rest, { escrow_id: escrow.escrow_id, status: 'released', released_amount: 100.01 });
  assert.deepEqual(await balance(buyer), [899.99, 0]);
  // 100.01 less 5 % is 95.0095: what is shown is cut off.
  assert.deepEqual(await balance(seller), [95, 0]);
  assert.equal((await done('GET /projects', { token: buyer.token })).projects[0].status, 'completed');
});

test('401 for every person except the buyer, also for the seller, and no money moves', async (t) => {
  const { aFundedEscrow, aPerson, anyPerson, call, balance } = await openSharedPeople(t, { sandbox: true });
  const { buyer, seller, escrow } = await aFundedEscrow({}, await aPerson());
  const body = { escrow_id: escrow.escrow_id };
  for (const { token } of [seller, await anyPerson()]) {
    const answer = await call('POST /escrow/release', { token, body });
    assert.deepEqual(refused(answer), { status: 401, message: 'Only the buyer can release the escrow' });
  }
  assert.deepEqual(
    refused(await call('POST /escrow/release', { body })).message,
    'Missing or invalid authorization token',
  );
  assert.deepEqual(await balance(buyer), [900, 100]);
  assert.deepEqual(await balance(seller), [0, 0]);
});

test('404 for an unknown escrow, 422 without an id', async (t) => {
  const { anyPerson, call } = await openSharedPeople(t);
  const { token } = await anyPerson();
  for (const escrow_id of ['esc_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'x']) {
    assert.deepEqual(refused(await call('POST /escrow/release', { token, body: { escrow_id } })), {
      status: 404,
      message: 'Escrow not found',
    });
  }
  assert.deepEqual(refused(await call('POST /escrow/release', { token, body: {} })).errors, ['Escrow id is required']);
  assert.deepEqual(
    refused(await call('POST /escrow/release', { token, body: { escrow_id: 'x', reason: 'y' } })).errors,
    ['reason is not a known field'],
  );
});

test('many releases at once, and one more: exactly one succeeds, 400 for the others, and the seller is paid once', async (t) => {
  const { aPerson, aFundedEscrow, call, balance } = await openSharedPeople(t, { sandbox: true });
  const { buyer, seller, escrow } = await aFundedEscrow({}, await aPerson());
  const ask = () => call('POST /escrow/release', { token: buyer.token, body: { escrow_id: escrow.escrow_id } });
  const answers = await Promise.all(Array.from({ length: 6 }, ask));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  const others = answers.filter(({ status }) => status !== 200);
  for (const answer of [...others, await ask()]) assert.deepEqual(refused(answer), NOT_RELEASABLE);
  assert.deepEqual(await balance(seller), [95, 0]);
});
