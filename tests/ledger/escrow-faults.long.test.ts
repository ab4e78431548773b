// Every fault of the escrow provider and of the ledger that a funding or a release can meet.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVERY, expectedOf, fundUnder, releaseWhile } from './call-faults.ts';
import { callWithoutRows, openEscrowFixture, sentFrom, shareEscrowFixtures } from './escrow-fixture.ts';
import { assertBooksEqualLedger, MARKETPLACE, onLedger, startProcess } from './ledger-fixture.ts';

const fixture = shareEscrowFixtures();

const DEPLOY_ANSWERS = [
  { fault: 'no-contract-id', answered: 'null' },
  { fault: 'lost-answer', answered: 'undefined' },
] as const;

for (const row of EVERY.fundings) {
  test(`a funding under ${row.fault} of ${row.operation} is made once or not at all, and booked as on the ledger`, async () => {
    assert.deepEqual(await fundUnder(await fixture(), row), expectedOf(row));
  });
}

for (const row of EVERY.reads) {
  test(`a release while ${row.operation} answers with ${row.fault} is booked as paid`, async () => {
    assert.equal(await releaseWhile(await fixture(), row), '28.4100000');
  });
}

for (const { fault, answered } of DEPLOY_ANSWERS) {
  test(`a deployment under ${fault} answers ${answered} for the contract, and the escrow row has its id`, async () => {
    const { environment, server, order } = await fixture();
    environment.sandbox.faults.arm({ operation: 'deploy', fault });
    assert.equal(String((await order.make('deploy')).contractId), answered);
    const [call] = (await order.escrow()).calls;
    const found = await server.provider.findByEngagement({ signer: order.buyer.address, engagementId: order.orderId });
    assert.ok(found.kind === 'yes');
    assert.deepEqual(
      found.value.map(({ contractId }) => contractId),
      [call!.contractId],
    );
    await assertBooksEqualLedger(server.pool, environment.sandbox);
  });
}

test('a release that pays another amount than the contract says is booked as paid', async () => {
  const { environment, server, order } = await fixture();
  await order.funded();
  await order.make('change-status');
  await order.make('approve');
  environment.sandbox.faults.arm({ operation: 'release', fault: 'wrong-amount' });
  await order.make('release');
  assert.equal(onLedger(environment.sandbox, order.seller.address)!.usdc, '14.2050000');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('a call may be made again when its envelope has expired without being in a ledger, and not before', async (t) => {
  const { environment, server, order } = await fixture();
  // With time enough for each answer, also on a busy machine.
  const patient = await startProcess(t, environment);
  await order.deployed();
  environment.sandbox.faults.arm({ operation: 'send-transaction', fault: 'outage', count: 1_000 });
  const sent = await order.send('fund');
  assert.equal(sent.kind, 'unknown');
  assert.equal((await order.escrow()).transactionId, sent.hash);
  const during = await order.send('fund');
  assert.deepEqual([during.kind, during.hash], ['unknown', null]);
  await environment.sandbox.clock.advance(340_000);
  await server.sender.resume({ marketplaceId: MARKETPLACE, source: order.buyer.address });
  const { rows } = await server.pool.query('select state, ending from ledger_transactions where id = $1', [sent.hash]);
  assert.deepEqual(rows, [{ state: 'FAILED', ending: 'expired' }]);
  assert.deepEqual([(await order.escrow()).transactionId, await order.calls()], [null, ['deploy']]);
  environment.sandbox.faults.clear();
  await order.make('fund', { by: patient });
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('a call that fails on the ledger costs its fee, moves nothing, and is a no', async (t) => {
  // A separate environment: the books do not know what the seller does here.
  const { environment, server, order } = await openEscrowFixture(t);
  const contractId = await order.funded();
  await order.make('change-status');
  await order.make('approve');
  // Between preparing and sending, the seller opens a dispute that no row of the database knows.
  const unlucky = await startProcess(t, environment, {
    timeoutMs: 1_000,
    beforeSubmit: () =>
      callWithoutRows(server, {
        by: order.seller,
        step: { kind: 'dispute', type: 'single-release', contractId, signer: order.seller.address },
      }),
  });
  const sent = await order.send('release', { by: unlucky });
  assert.deepEqual([sent.kind, 'why' in sent && sent.why, 'code' in sent && sent.code], ['no', 'failed', 'tx_failed']);
  const { transactionId, calls } = await order.escrow();
  assert.deepEqual([transactionId, calls.some(({ call }) => call === 'release')], [null, false]);
  assert.deepEqual(
    sentFrom(environment, order.buyer.address).map(({ successful }) => successful),
    [true, true, true, false],
  );
  const { rows } = await server.pool.query(`select state from ledger_transactions where id = $1`, [sent.hash]);
  assert.deepEqual(rows, [{ state: 'FAILED' }]);
});
