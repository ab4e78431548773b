// Transactions of one wallet are sent one after the other, by any process, and each is paid once or not at all, whatever the
// ledger answers. transaction-sender.long.test.ts has all faults.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_PAYMENTS, holdPayments, releasePayments } from '../../server/src/ledger/holds/payment-hold.ts';
import { createRecordTransaction, TransactionOpen } from '../../server/src/ledger/transactions/record-transaction.ts';
import { ACTION_OWNERS } from '../../server/src/registry.ts';
import { until } from '../../tools/until.ts';
import {
  assertBooksEqualLedger,
  MARKETPLACE,
  onLedger,
  openEnvironment,
  startProcess,
  transactionsOf,
} from './ledger-fixture.ts';
import { FEW, nameOf, payUnder, payWhile, received, SHORT_TIMEOUT, sharePayments } from './payment-faults.ts';

const recordTransaction = createRecordTransaction(ACTION_OWNERS);

const fixture = sharePayments();

test('ten payments at once from one wallet are ten successful transactions', async (t) => {
  const { environment, ann, bob } = await fixture();
  // With time enough for each answer, also on a busy machine.
  const server = await startProcess(t, environment);
  const sent = await Promise.all(Array.from({ length: 10 }, () => server.pay(ann, bob, '1.25')));
  assert.ok(sent.every(({ kind }) => kind === 'yes'));
  assert.equal(new Set(sent.map(({ hash }) => hash)).size, 10);
  assert.ok(transactionsOf(environment.sandbox, ann.address).every(({ successful }) => successful));
  assert.equal(received(environment, bob), '12.5000000');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

for (const row of FEW.submissions) {
  test(`a payment under ${nameOf(row)} is settled as the ledger has it, once`, async () => {
    const state = row.said === 'yes' ? 'SUCCEEDED' : 'FAILED';
    assert.deepEqual(await payUnder(await fixture(), row), { state, paid: row.paid });
  });
}

for (const row of FEW.reads) {
  test(`a payment while ${row.operation} answers with ${row.fault} is paid once, and the books are right`, async () => {
    assert.equal(await payWhile(await fixture(), row), '5.0000000');
  });
}

test('an envelope that expired without being in a ledger is given up, and not before', async () => {
  const { environment, server, ann, bob } = await fixture();
  environment.sandbox.faults.arm({ operation: 'payment', fault: 'outage', count: 1_000 });
  const sent = await server.pay(ann, bob, '5.00');
  assert.equal(sent.kind, 'unknown');
  await server.sender.resumeAll();
  const state = async () =>
    (await server.pool.query('select state, ending, failure from ledger_transactions where id = $1', [sent.hash]))
      .rows[0];
  assert.equal((await state()).state, 'SIGNED');
  await environment.sandbox.clock.advance(120_000);
  await server.sender.resumeAll();
  assert.deepEqual(await state(), {
    state: 'FAILED',
    ending: 'expired',
    failure: 'expired before it was in a ledger',
  });
  environment.sandbox.faults.clear();
  assert.equal((await server.pay(ann, bob, '5.00')).kind, 'yes');
  assert.equal(received(environment, bob), '5.0000000');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('a payment that is being built when payments are held is not submitted before the release', async () => {
  const { environment, server, ann, bob } = await fixture();
  const { sandbox } = environment;
  const before = received(environment, bob);
  // The account is read after the first look at the hold, because its number is not remembered.
  server.memory.numbers.forget(ann.address);
  sandbox.faults.arm({ operation: 'account', fault: 'slow', delayMs: 500, match: ann.address });
  const paying = server.pay(ann, bob, '1.00');
  await until(() => sandbox.faults.list().length === 0, 'the account is being read');
  await server.run(holdPayments, { id: ALL_PAYMENTS, reason: 'The ledger is being checked.' });
  const { kind, hash } = await paying;
  const isPaid = received(environment, bob) !== before;
  await server.run(releasePayments, { id: ALL_PAYMENTS });
  assert.deepEqual([kind, isPaid], ['unknown', false]);
  await until(async () => {
    await server.sender.resumeAll();
    return (await server.transactions.find(MARKETPLACE, hash!))?.state === 'SUCCEEDED';
  }, 'it is paid after the release');
  await assertBooksEqualLedger(server.pool, sandbox);
});

test('a payment that the payer cannot afford fails, costs its fee, and the books say so', async () => {
  const { environment, server, ann, bob } = await fixture();
  const sent = await server.pay(ann, bob, '100.01');
  assert.equal(sent.kind, 'no');
  assert.equal(received(environment, bob), '0.0000000');
  assert.equal(onLedger(environment.sandbox, ann.address)!.xlm, '2.9999900');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('a deposit that was spent on the ledger before it was booked is booked first', async () => {
  const { environment, server, ann, bob } = await fixture();
  const { urls } = environment;
  const body = JSON.stringify({ address: ann.address, asset: 'USDC', amount: '50' });
  const headers = { 'content-type': 'application/json' };
  assert.ok((await fetch(`${urls.control}/faucet`, { method: 'POST', headers, body })).ok);
  assert.equal((await server.pay(ann, bob, '149.99')).kind, 'yes');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('a transaction is refused while another one of its wallet is open, and a payment to an outside address without a withdrawal always', async (t) => {
  // In an environment of its own: the transactions that are recorded here are never sent.
  const server = await startProcess(t, await openEnvironment(t), SHORT_TIMEOUT);
  const ann = await server.pendingUser();
  const bob = await server.pendingUser();
  const context = { marketplaceId: MARKETPLACE, actor: { type: 'system', id: 'test' }, requestId: 'r' } as const;
  const action = { type: 'pay', to: bob.address, asset: 'USDC', currency: 'USD', units: '1', paymentId: null } as const;
  const one = {
    id: 'a'.repeat(64),
    source: ann.address,
    sequence: '7',
    purpose: 'test',
    envelope: 'AAAA',
    validUntil: '2030-01-01T00:00:00.000000Z',
    actions: [action],
  };
  const record = (input: typeof one) => server.submit({ command: recordTransaction, input, context });
  await assert.rejects(record({ ...one, actions: [{ ...action, outside: true } as never] }), /names no withdrawal/);
  await record(one);
  await assert.rejects(record({ ...one, id: 'b'.repeat(64), sequence: '8' }), TransactionOpen);
  await assert.rejects(record(one), TransactionOpen);
  await record({ ...one, id: 'c'.repeat(64), source: bob.address });
});
