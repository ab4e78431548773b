// Every fault of the ledger that a payment can meet, from its submission to the reads around it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromUnits } from '../../server/src/books/money.ts';
import { holdPayments, releasePayments } from '../../server/src/ledger/holds/payment-hold.ts';
import { createSettleTransaction } from '../../server/src/ledger/transactions/settle-transaction.ts';
import { ACTION_OWNERS } from '../../server/src/registry.ts';
import { until } from '../../tools/until.ts';
import {
  amount,
  assertBooksEqualLedger,
  MARKETPLACE,
  type Process,
  startProcess,
  transactionsOf,
} from './ledger-fixture.ts';
import { EVERY, nameOf, payUnder, payWhile, received, SHORT_TIMEOUT, sharePayments } from './payment-faults.ts';

const fixture = sharePayments();

const settleTransaction = createSettleTransaction(ACTION_OWNERS);

for (const row of EVERY.submissions) {
  test(`a payment under ${nameOf(row)} is settled as the ledger has it, once`, async () => {
    const state = row.said === 'yes' ? 'SUCCEEDED' : 'FAILED';
    assert.deepEqual(await payUnder(await fixture(), row), { state, paid: row.paid });
  });
}

for (const row of EVERY.reads) {
  test(`a payment while ${row.operation} answers with ${row.fault} is paid once, and the books are right`, async () => {
    assert.equal(await payWhile(await fixture(), row), '5.0000000');
  });
}

test('two processes that pay from one wallet at once never clash and lose nothing', async (t) => {
  const { environment, server, ann, bob } = await fixture();
  const other = await startProcess(t, environment, SHORT_TIMEOUT);
  const processes = [server, other];
  // A payment may lose every round to the other process. A repeat is safe while nothing was signed.
  const pay = async (by: Process): Promise<void> => {
    await until(async () => {
      const sent = await by.pay(ann, bob, '1.00');
      assert.ok(sent.kind === 'yes' || sent.hash === null, 'reason' in sent ? sent.reason : '');
      return sent.kind === 'yes';
    }, 'it was paid');
  };
  await Promise.all(Array.from({ length: 20 }, (_, index) => pay(processes[index % 2]!)));
  assert.equal(received(environment, bob), '20.0000000');
  assert.equal(transactionsOf(environment.sandbox, ann.address).length, 20);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('a payment whose answer was lost is found after its envelope has expired, and is not paid again', async () => {
  const { environment, server, ann, bob } = await fixture();
  environment.sandbox.faults.arm({ operation: 'payment', fault: 'lost-answer', delayMs: 5 });
  environment.sandbox.faults.arm({ operation: 'transaction-get', fault: 'outage', count: 3 });
  const sent = await server.pay(ann, bob, '5.00');
  assert.equal(sent.kind, 'unknown');
  await environment.sandbox.clock.advance(120_000);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
  assert.equal(received(environment, bob), '5.0000000');
  assert.equal(transactionsOf(environment.sandbox, ann.address).length, 1);
});

test('an envelope that was settled as rejected and that the ledger accepted later is booked once', async () => {
  const { environment, server, ann, bob } = await fixture();
  environment.sandbox.faults.arm({ operation: 'payment', fault: 'http-200-failed', count: 100 });
  const { kind, hash } = await server.pay(ann, bob, '5.00');
  assert.equal(kind, 'unknown');
  const transaction = (await server.transactions.find(MARKETPLACE, hash!))!;
  const context = { marketplaceId: MARKETPLACE, actor: { type: 'system', id: 'test' }, requestId: 'r' } as const;
  const refused = { kind: 'rejected', reason: 'tx_insufficient_fee' } as const;
  await server.submit({ command: settleTransaction, input: { transaction, ending: refused }, context });
  const { state, ending: how, failure } = (await server.transactions.find(MARKETPLACE, hash!))!;
  assert.deepEqual([state, how, failure], ['FAILED', 'rejected', 'rejected: tx_insufficient_fee']);

  environment.sandbox.faults.clear();
  assert.equal((await server.ledger.submit(transaction.envelope)).kind, 'yes');
  const charge = { fee: fromUnits(100n), feeAccount: ann.address, ledger: 1 };
  const ending = { kind: 'succeeded', paid: [amount('5')], ...charge } as const;
  for (let again = 0; again < 2; again++) {
    await server.submit({ command: settleTransaction, input: { transaction, ending }, context });
    assert.equal((await server.transactions.find(MARKETPLACE, hash!))!.state, 'SUCCEEDED');
    await assertBooksEqualLedger(server.pool, environment.sandbox);
  }
});

test('a comparison that read the ledger before a release does not hold the wallet again', async () => {
  const { server } = await fixture();
  const of = { id: 'wal_compared', reason: 'Nothing explains a payment.' };
  const seen = (hash: string) => ({ hash, at: '2026-11-01T00:00:00Z', payments: [] });
  await server.run(holdPayments, { ...of, transactions: [seen('a')] });
  await server.run(releasePayments, { id: of.id });
  assert.equal((await server.run(holdPayments, { ...of, transactions: [seen('a')] })).held, false);
  const { held, transactions } = await server.run(holdPayments, { ...of, transactions: [seen('a'), seen('b')] });
  assert.deepEqual([held, transactions.map(({ hash }) => hash)], [true, ['b']]);
  await server.run(releasePayments, { id: of.id });
});
