// Calls of an order that the network refuses for their fee. fees.test.ts has an order that waits while the network is expensive.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { codeOf } from '../support/app.ts';
import { openOrders } from '../support/order-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';

const MANY = 10_000;

const shared = shareInFile(async (t) => {
  // A surge asks for 2000.
  const fixture = await openOrders(t, { env: { LEDGER_FEE_MAX: '1500', OPERATION_WAIT_MS: '1000' } });
  const who = await fixture.parties();
  // The wallets of both have their fees from now on.
  const { id } = await fixture.anOrder({ at: 'IN_PROGRESS', between: who });
  await fixture.app.call(`POST /orders/${id}/resolution/release`);
  await fixture.untilStatus(id, 'CLOSED');
  return { ...fixture, who };
});

afterEach(() => shared().simulator('DELETE /faults'));

type Fixture = ReturnType<typeof shared>;

const STEPS = [
  { path: 'escrow', before: 'FUNDS_RESERVED', during: 'ESCROW_CREATING', after: 'ESCROW_FUNDING' },
  { path: 'escrow/fund', before: 'ESCROW_FUNDING', during: 'ESCROW_FUNDING', after: 'IN_PROGRESS' },
  { path: 'resolution/release', before: 'IN_PROGRESS', during: 'RELEASE_REQUESTED', after: 'CLOSED' },
] as const;

/** The calls of the order's contract that were signed, oldest first. */
const signedFor = (
  { app }: Fixture,
  orderId: string,
): Promise<{ call: string; state: string; code: string | null }[]> =>
  app.sql(
    `select a ->> 'call' as call, t.state, t.failure as code from ledger_transactions t, jsonb_array_elements(t.actions) a
     where a ->> 'orderId' = $1 order by t.created_at, t.id`,
    [orderId],
  ) as Promise<{ call: string; state: string; code: string | null }[]>;

test('a call that is refused for its fee is prepared again, by the same request or without one, and made once', async () => {
  const fixture = shared();
  const { who } = fixture;
  const match = await fixture.addressOf(who.buyer);
  const { id } = await fixture.anOrder({ at: 'FUNDS_RESERVED', between: who });
  for (const { path, after } of STEPS) {
    // Two refusals in the request. Four are more than it prepares envelopes, so the rest happens in the background.
    const count = path === 'escrow/fund' ? 4 : 2;
    await fixture.fault('fees', 'fee-rise', { match, count });
    const answer = await fixture.app.call(`POST /orders/${id}/${path}`);
    assert.ok((answer.status < 300 && count === 2) || answer.status === 504, answer.text);
    await fixture.untilStatus(id, after);
    assert.deepEqual(await fixture.unmetFaults(), [], 'every refusal happened');
  }
  const calls = await signedFor(fixture, id);
  const succeeded = calls.filter(({ state }) => state === 'SUCCEEDED').map(({ call }) => call);
  assert.deepEqual(succeeded.sort(), ['approve', 'change-status', 'deploy', 'fund', 'release']);
  const refused = calls.filter(({ state }) => state !== 'SUCCEEDED');
  // Two envelopes that are prepared in the same second are the same envelope.
  assert.ok(
    refused.every(({ code }) => /insufficient_fee/.test(code ?? '')),
    JSON.stringify(refused),
  );
  await fixture.assertSound();
});

test('a funding that is undone after refusals for its fee leaves no envelope that the network could still accept', async () => {
  const fixture = shared();
  const { app } = fixture;
  const who = await fixture.parties();
  const order = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
  // The provider prepares three envelopes, which the network refuses. From then on it refuses the call itself.
  await fixture.fault('fund', 'slow', { match: order.id, count: 3, delayMs: 1 });
  await fixture.fault('fund', 'refusal', { match: order.id, count: MANY });
  await fixture.fault('fees', 'fee-rise', { match: await fixture.addressOf(who.buyer), count: 3 });
  assert.equal(codeOf(await app.call(`POST /orders/${order.id}/escrow/fund`)), '504 PROVIDER_TIMEOUT');
  await fixture.untilStatus(order.id, 'FUNDS_RESERVED');
  const [first] = await app.sql(
    `select t.envelope from ledger_transactions t where t.ending = 'rejected' and t.actions @> $1::jsonb`,
    [JSON.stringify([{ orderId: order.id, call: 'fund' }])],
  );
  // The provider, or anyone who has seen the envelope, sends it once more.
  const body = new URLSearchParams({ tx: first.envelope });
  const sent = await fetch(`${app.sandboxUrl}/ledger/transactions`, { method: 'POST', body });
  assert.equal(sent.status, 400, await sent.text());
  assert.equal((await fixture.contractOf(order)).balance, 0);
  await fixture.assertSound();
});
