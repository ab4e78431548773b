// Whatever the escrow provider and the ledger answer: a call is made once or not at all, a refusal is reported only when it
// is certain, and the signer's wallet is free again afterwards. escrow-faults.long.test.ts has all faults.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectedOf, FEW, fundUnder, releaseWhile } from './call-faults.ts';
import { openTestOrder, sentFrom, shareEscrowFixtures } from './escrow-fixture.ts';
import { assertBooksEqualLedger, startProcess } from './ledger-fixture.ts';

const fixture = shareEscrowFixtures();

for (const row of FEW.fundings) {
  test(`a funding under ${row.fault} of ${row.operation} is made once or not at all, and booked as on the ledger`, async () => {
    assert.deepEqual(await fundUnder(await fixture(), row), expectedOf(row));
  });
}

for (const row of FEW.reads) {
  test(`a release while ${row.operation} answers with ${row.fault} is booked as paid`, async () => {
    assert.equal(await releaseWhile(await fixture(), row), '28.4100000');
  });
}

test('a call whose envelope expires is a no with the reason expired, and can be made again', async (t) => {
  const { environment, server, order } = await fixture();
  await order.deployed();
  const late = await startProcess(t, environment, {
    timeoutMs: 1_000,
    beforeSubmit: () => environment.sandbox.clock.advance(340_000),
  });
  const sent = await order.send('fund', { by: late });
  assert.deepEqual([sent.kind, 'why' in sent && sent.why, 'code' in sent && sent.code], ['no', 'expired', null]);
  assert.equal((await order.escrow()).transactionId, null);
  await order.make('fund');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('a refusal of the provider is reported with its code, and nothing is signed', async () => {
  const { environment, server, order } = await fixture();
  await order.funded();
  await order.make('change-status');
  await order.make('approve');
  const before = sentFrom(environment, order.buyer.address).length;
  await order.make('dispute');
  const sent = await order.send('release');
  assert.ok(sent.kind === 'no' && sent.why === 'refused' && sent.hash === null);
  assert.equal(sent.code, 'IN_DISPUTE');
  assert.equal(sentFrom(environment, order.buyer.address).length, before + 1);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('a deployment without a known factory is refused, and the error names the missing setting', async (t) => {
  const { environment, server } = await fixture();
  const bare = await startProcess(t, environment, { factories: {} });
  for (const [type, setting] of [
    ['single-release', 'ESCROW_FACTORY_SINGLE'],
    ['multi-release', 'ESCROW_FACTORY_MULTI'],
  ] as const) {
    const order = await openTestOrder(bare, environment, { type });
    const sent = await order.send('deploy');
    assert.ok(sent.kind === 'no' && sent.why === 'refused' && sent.reason.includes(`set ${setting}`), sent.kind);
    assert.equal((await order.send('deploy', { by: server })).kind, 'yes');
  }
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('a contract that runs other code, or that we did not deploy, is not funded, and nothing is signed', async () => {
  const { environment, server, order } = await fixture();
  const contractId = await order.deployed();
  environment.sandbox.faults.arm({ operation: 'contract-get', fault: 'wrong-code', match: contractId });
  const other = await order.send('fund');
  assert.ok(other.kind === 'no' && other.why === 'refused' && other.hash === null, other.kind);
  assert.match(other.reason, /runs the code/);
  const stranger = await openTestOrder(server, environment);
  const foreign = await stranger.deployed();
  await order.keep({ providerContractId: foreign });
  const sent = await order.send('fund');
  assert.ok(sent.kind === 'no' && sent.why === 'refused' && sent.hash === null, sent.kind);
  assert.match(sent.reason, /not the one that was deployed/);
  await order.keep({ providerContractId: contractId });
  assert.equal((await order.send('fund')).kind, 'yes');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('without an escrow provider the outcome is unknown, and nothing is signed', async (t) => {
  const { environment, order } = await fixture();
  const alone = await startProcess(t, environment, { escrow: false });
  const sent = await order.send('deploy', { by: alone });
  assert.deepEqual([sent.kind, sent.hash], ['unknown', null]);
  assert.match('reason' in sent ? sent.reason : '', /ESCROW_PROVIDER_URL/);
});
