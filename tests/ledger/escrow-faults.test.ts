// Whatever the escrow provider and the ledger answer: a call is made once or not at all, a refusal is reported only when it
// is certain, and the signer's wallet is free again afterwards. escrow-faults.long.test.ts has all faults.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectedOf, FEW, fundUnder, releaseWhile } from './call-faults.ts';
import { assertBooksEqualLedger, MARKETPLACE, onLedger, startProcess } from './custody-fixture.ts';
import { callWithoutUs, openDeal, openScene, sentFrom, shareScenes } from './escrow-fixture.ts';

const scene = shareScenes();

for (const row of FEW.fundings) {
  test(`a funding under ${row.fault} of ${row.operation} is made once or not at all, and booked as on the ledger`, async () => {
    assert.deepEqual(await fundUnder(await scene(), row), expectedOf(row));
  });
}

const DEPLOY_ANSWERS = [
  { fault: 'no-contract-id', told: 'null' },
  { fault: 'lost-answer', told: 'undefined' },
] as const;

for (const { fault, told } of DEPLOY_ANSWERS) {
  test(`a deployment under ${fault} tells ${told} for the contract, and our rows know it all the same`, async () => {
    const { world, server, deal } = await scene();
    world.sandbox.faults.arm({ operation: 'deploy', fault });
    assert.equal(String((await deal.make('deploy')).contractId), told);
    const [call] = (await deal.escrow()).calls;
    const found = await server.provider.findByEngagement({ signer: deal.buyer.address, engagementId: deal.orderId });
    assert.ok(found.kind === 'yes');
    assert.deepEqual(
      found.value.map(({ contractId }) => contractId),
      [call!.contractId],
    );
    await assertBooksEqualLedger(server.pool, world.sandbox);
  });
}

for (const row of FEW.reads) {
  test(`a release while ${row.operation} answers with ${row.fault} is booked as paid`, async () => {
    assert.equal(await releaseWhile(await scene(), row), '28.4100000');
  });
}

test('a release that pays another amount than the contract says is booked as paid', async () => {
  const { world, server, deal } = await scene();
  await deal.funded();
  await deal.make('change-status');
  await deal.make('approve');
  world.sandbox.faults.arm({ operation: 'release', fault: 'wrong-amount' });
  await deal.make('release');
  assert.equal(onLedger(world.sandbox, deal.seller.address)!.usdc, '14.2050000');
  await assertBooksEqualLedger(server.pool, world.sandbox);
});

test('a call may be made again when its envelope has expired without being in a ledger, and not before', async () => {
  const { world, server, deal } = await scene();
  await deal.deployed();
  world.sandbox.faults.arm({ operation: 'send-transaction', fault: 'outage', count: 1_000 });
  const sent = await deal.send('fund');
  assert.equal(sent.kind, 'unknown');
  assert.equal((await deal.escrow()).transactionId, sent.hash);
  const during = await deal.send('fund');
  assert.deepEqual([during.kind, during.hash], ['unknown', null]);
  await world.sandbox.clock.advance(340_000);
  await server.sender.resume({ marketplaceId: MARKETPLACE, source: deal.buyer.address });
  const { rows } = await server.pool.query('select state, failure from ledger_transactions where id = $1', [sent.hash]);
  assert.deepEqual(rows, [{ state: 'FAILED', failure: 'expired before it was in a ledger' }]);
  assert.deepEqual([(await deal.escrow()).transactionId, await deal.calls()], [null, ['deploy']]);
  world.sandbox.faults.clear();
  await deal.make('fund');
  await assertBooksEqualLedger(server.pool, world.sandbox);
});

test('a call whose envelope expires is a no with the reason expired, and can be made again', async (t) => {
  const { world, server, deal } = await scene();
  await deal.deployed();
  const late = await startProcess(t, world, {
    timeoutMs: 1_000,
    beforeSubmit: () => world.sandbox.clock.advance(340_000),
  });
  const sent = await deal.send('fund', { by: late });
  assert.deepEqual([sent.kind, 'why' in sent && sent.why, 'code' in sent && sent.code], ['no', 'expired', null]);
  assert.equal((await deal.escrow()).transactionId, null);
  await deal.make('fund');
  await assertBooksEqualLedger(server.pool, world.sandbox);
});

test('a call that fails on the ledger costs its fee, moves nothing, and is a no', async (t) => {
  // A separate environment: the books do not know what the seller does here.
  const { world, server, deal } = await openScene(t);
  const contractId = await deal.funded();
  await deal.make('change-status');
  await deal.make('approve');
  // Between preparing and sending, the seller opens a dispute that no row of the database knows.
  const unlucky = await startProcess(t, world, {
    timeoutMs: 1_000,
    beforeSubmit: () =>
      callWithoutUs(server, {
        by: deal.seller,
        step: { kind: 'dispute', type: 'single-release', contractId, signer: deal.seller.address },
      }),
  });
  const sent = await deal.send('release', { by: unlucky });
  assert.deepEqual([sent.kind, 'why' in sent && sent.why, 'code' in sent && sent.code], ['no', 'failed', 'tx_failed']);
  const { transactionId, calls } = await deal.escrow();
  assert.deepEqual([transactionId, calls.some(({ call }) => call === 'release')], [null, false]);
  assert.deepEqual(
    sentFrom(world, deal.buyer.address).map(({ successful }) => successful),
    [true, true, true, false],
  );
  const { rows } = await server.pool.query(`select state from ledger_transactions where id = $1`, [sent.hash]);
  assert.deepEqual(rows, [{ state: 'FAILED' }]);
});

test('a refusal of the provider is reported with its code, and nothing is signed', async () => {
  const { world, server, deal } = await scene();
  await deal.funded();
  await deal.make('change-status');
  await deal.make('approve');
  const before = sentFrom(world, deal.buyer.address).length;
  await deal.make('dispute');
  const sent = await deal.send('release');
  assert.ok(sent.kind === 'no' && sent.why === 'refused' && sent.hash === null);
  assert.equal(sent.code, 'IN_DISPUTE');
  assert.equal(sentFrom(world, deal.buyer.address).length, before + 1);
  await assertBooksEqualLedger(server.pool, world.sandbox);
});

test('a deployment without a known factory is refused, and the error names the missing setting', async (t) => {
  const { world, server } = await scene();
  const bare = await startProcess(t, world, { factories: {} });
  for (const [type, setting] of [
    ['single-release', 'ESCROW_FACTORY_SINGLE'],
    ['multi-release', 'ESCROW_FACTORY_MULTI'],
  ] as const) {
    const deal = await openDeal(bare, world, { type });
    const sent = await deal.send('deploy');
    assert.ok(sent.kind === 'no' && sent.why === 'refused' && sent.reason.includes(`set ${setting}`), sent.kind);
    assert.equal((await deal.send('deploy', { by: server })).kind, 'yes');
  }
  await assertBooksEqualLedger(server.pool, world.sandbox);
});

test('without an escrow provider the outcome is unknown, and nothing is signed', async (t) => {
  const { world, deal } = await scene();
  const alone = await startProcess(t, world, { escrow: false });
  const sent = await deal.send('deploy', { by: alone });
  assert.deepEqual([sent.kind, sent.hash], ['unknown', null]);
  assert.match('reason' in sent ? sent.reason : '', /ESCROW_PROVIDER_URL/);
});
