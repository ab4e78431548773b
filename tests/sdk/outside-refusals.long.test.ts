// When an outside system says no, that is the answer: the client does not ask again, and nothing is left behind but the
// one record that says so.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aUser, failureOf, openFixture, parties } from './fixture.ts';

test('a top-up that the payment provider refuses is one failed top-up, and certain', async (t) => {
  const { client } = await openFixture(t, { sandbox: true });
  const userId = await aUser(client);
  await client.sandbox.armFault({ operation: 'payin', fault: 'refusal', count: 4 });
  const failure = await failureOf(client.topups.create({ userId, amount: '10.00' }));
  assert.deepEqual([failure.status, failure.code, failure.outcomeUnknown], [500, 'INTERNAL_ERROR', false]);
  const topups = await client.topups.list({ userId }).toArray({ max: 10 });
  assert.deepEqual(
    topups.map(({ id, status }) => [id, status]),
    [[failure.details.topupId, 'TOPUP_FAILED']],
  );
});

test('an escrow that its provider refuses to deploy is refused at once, and the order is where it was', async (t) => {
  const { client } = await openFixture(t, { sandbox: true });
  const { id } = await client.orders.create(await parties(client));
  await client.orders.reserve(id);
  await client.sandbox.armFault({ operation: 'deploy', fault: 'refusal', count: 2 });
  const failure = await failureOf(client.orders.createEscrow(id));
  assert.deepEqual([failure.status, failure.code, failure.outcomeUnknown], [500, 'INTERNAL_ERROR', false]);
  assert.equal((await client.orders.get(id)).status, 'FUNDS_RESERVED');
  // The second refusal is still armed: it was asked once.
  assert.equal((await client.sandbox.faults()).faults[0]?.count, 1);
});

test('a funding that continues after its connection broke is waited for, not reported as an internal error', async (t) => {
  const { client, over } = await openFixture(t, { sandbox: true });
  const { id } = await client.orders.create(await parties(client));
  await client.orders.reserve(id);
  await client.orders.createEscrow(id);
  await client.sandbox.armFault({ operation: 'fund', fault: 'slow', delayMs: 10_000, match: id });
  // The request arrives and its answer does not, as when the server is killed. The repeat is refused with 500: the escrow is FUNDING.
  const impatient = over({ timeoutMs: 4_000, maxRetries: 1 });
  const { status, escrow } = await impatient.orders.fundEscrow(id);
  assert.deepEqual([status, escrow?.status], ['IN_PROGRESS', 'FUNDED']);
});
