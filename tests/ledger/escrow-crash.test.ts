// After a crash at any step of a call, or with several processes at the same operation, each call is made once, the books equal
// the ledger, and no completed call is reported as refused. escrow-crash.long.test.ts has each step of each call.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crashFunding, crashRelease } from './call-crash.ts';
import { type EscrowFixture, shareEscrowFixtures } from './escrow-fixture.ts';
import { assertBooksEqualLedger, MARKETPLACE } from './ledger-fixture.ts';

const fixture = shareEscrowFixtures();

test('a funding with a crash at "submitted" is made once, also when the operation is resumed', async (t) => {
  assert.deepEqual(await crashFunding(t, await fixture(), 'submitted'), ['deploy', 'fund']);
});

test('a crash at "recorded" of a release pays the seller once', async (t) => {
  assert.equal(await crashRelease(t, await fixture(), 'recorded'), 1);
});

test('a call of a finished operation, or during another call in flight, is not sent', async () => {
  const { environment, server, order } = await fixture({ buyerHas: '100' });
  await order.deployed();
  await server.endOperation(order.operationId());
  const over = await order.send('fund');
  assert.ok(over.kind === 'no' && over.why === 'superseded' && over.hash === null);

  await order.begin('fund-escrow');
  await order.keep({ transactionId: 'f'.repeat(64) });
  const second = await order.send('change-status');
  assert.ok(second.kind === 'no' && second.why === 'superseded');
  await order.keep({ transactionId: null });
  await order.make('fund');
  const { rows } = await server.pool.query('select step from operations where id = $1', [order.operationId()]);
  assert.deepEqual(rows, [{ step: 'fund' }]);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

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

test('a refused funding that is on the ledger is found, and counts as made', async () => {
  const opened = await fixture();
  const { environment, server, order } = opened;
  await order.deployed();
  const hash = await fundBehindARefusal(opened);
  await server.sender.resumeAll();
  assert.equal((await server.transactions.find(MARKETPLACE, hash))!.state, 'SUCCEEDED');
  assert.deepEqual(await order.calls(), ['deploy', 'fund']);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});
