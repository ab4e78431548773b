// A crash at each step of a funding and of a release, and a race for the same funding in many rounds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { crashFunding, crashRelease, fundTogether, STEPS, sentByBuyer } from './call-crash.ts';
import { type EscrowFixture, shareEscrowFixtures } from './escrow-fixture.ts';
import { assertBooksEqualLedger, MARKETPLACE, startProcess } from './ledger-fixture.ts';

const fixture = shareEscrowFixtures();

/** A funding that the provider reports as not sent, although it reaches the ledger. */
const fundBehindARefusal = async ({ environment, server, order }: EscrowFixture): Promise<string> => {
  environment.sandbox.faults.arm({ operation: 'fund', fault: 'http-200-failed' });
  const sent = await order.send('fund');
  assert.ok(sent.kind === 'no' && sent.why === 'rejected' && sent.hash !== null);
  assert.equal((await order.escrow()).transactionId, null);
  const { envelope } = (await server.transactions.find(MARKETPLACE, sent.hash))!;
  assert.equal((await server.ledger.submit(envelope)).kind, 'yes');
  return sent.hash;
};

for (const step of STEPS) {
  test(`a funding with a crash at "${step}" is made once, also when the operation is resumed`, async (t) => {
    assert.deepEqual(await crashFunding(t, await fixture(), step), ['deploy', 'fund']);
  });

  test(`a crash at "${step}" of a release pays the seller once`, async (t) => {
    assert.equal(await crashRelease(t, await fixture(), step), 1);
  });
}

for (const round of [1, 2, 3]) {
  test(`two processes that run the same funding at once fund once: race ${round}`, async (t) => {
    assert.equal(await fundTogether(t, await fixture()), 2, 'a deployment and one funding');
  });
}

test('two processes that run the same funding at once fund once, and the provider refuses neither', async (t) => {
  assert.equal(await fundTogether(t, await fixture()), 2, 'a deployment and one funding');
});

test('a refused funding that is on the ledger is not made a second time, also for a new escrow with its contract', async () => {
  const opened = await fixture({ buyerHas: '100' });
  const { environment, server, order } = opened;
  const contractId = await order.deployed();
  await fundBehindARefusal(opened);
  const again = await order.again(contractId);
  const sent = await again.send('fund');
  assert.ok(sent.kind === 'no' && sent.why === 'superseded', sent.kind);
  assert.deepEqual(
    [await order.calls(), await again.calls()],
    [
      ['deploy', 'fund'],
      ['deploy', 'fund'],
    ],
  );
  assert.equal(sentByBuyer(environment, order), 2, 'a deployment and one funding');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('calls of one wallet for many orders are made one after the other, by several processes', async (t) => {
  const { environment, server, order } = await fixture({ buyerHas: '300' });
  const other = await startProcess(t, environment, { timeoutMs: 2_000 });
  const orders = [order, ...(await Promise.all(Array.from({ length: 4 }, () => order.sibling())))];
  await Promise.all(
    orders.map(async (one, index) => {
      const by = index % 2 === 0 ? server : other;
      // A call that loses every round to the others has an unknown outcome; a repeat is safe.
      await until(async () => {
        const sent = await one.send('deploy', { by });
        assert.notEqual(sent.kind, 'no', 'reason' in sent ? sent.reason : '');
        return sent.kind === 'yes' || (await one.calls()).includes('deploy');
      }, 'it is deployed');
    }),
  );
  const contracts = await Promise.all(orders.map(async (one) => (await one.escrow()).calls[0]!.contractId));
  assert.equal(new Set(contracts).size, orders.length);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});
