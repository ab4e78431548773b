// An order while the network is expensive: each step waits and none fails, and the order ends without a further request when the price has
// fallen. tests/ledger/fees.test.ts has the fees of single transactions.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { until } from '../../tools/until.ts';
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

/** Why the running operation of the order waits. */
const problemOf = async ({ app }: Fixture, orderId: string): Promise<string> =>
  (await app.sql(`select failure from operations where order_id = $1 and state = 'RUNNING'`, [orderId]))[0]?.failure ??
  '';

test('above LEDGER_FEE_MAX creation, funding and release wait, sign nothing, and end by themselves after the surge', async () => {
  const fixture = shared();
  const { who } = fixture;
  // The wallets have what they need, so that only the calls of the contract wait.
  const paid = { address: await fixture.addressOf(who.buyer), asset: 'USDC', amount: '100' };
  assert.equal((await fixture.app.call('POST /sandbox/faucet', { body: paid })).status, 200);
  const { id } = await fixture.anOrder({ at: 'FUNDS_RESERVED', between: who });
  for (const { path, during, after } of STEPS) {
    const before = (await signedFor(fixture, id)).length;
    await fixture.fault('fees', 'fee-surge', { count: MANY });
    const answer = await fixture.app.call(`POST /orders/${id}/${path}`);
    assert.equal(codeOf(answer), '504 PROVIDER_TIMEOUT', answer.text);
    await until(
      async () => /more than LEDGER_FEE_MAX allows/.test(await problemOf(fixture, id)),
      'it says why it waits',
    );
    assert.equal((await fixture.get(id)).status, during, path);
    assert.equal((await signedFor(fixture, id)).length, before, 'nothing is signed above the limit');
    await fixture.simulator('DELETE /faults');
    await fixture.untilStatus(id, after);
  }
  const calls = await signedFor(fixture, id);
  assert.deepEqual(
    calls.map(({ call, state }) => `${call} ${state}`),
    ['deploy', 'fund', 'change-status', 'approve', 'release'].map((call) => `${call} SUCCEEDED`),
  );
  await fixture.assertSound();
});
