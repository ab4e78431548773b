// The fault scripts that strike the ledger network's simulator.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Operation } from '@stellar/stellar-sdk';
import { balances, codesOf, type Ledger, openLedger, settle, write } from '../../tools/simulation/ledger-accounts.ts';
import { shareInFile } from '../support/share-in-file.ts';

/** The ledger that the tests of this file share; each has accounts of its own. */
const shared = shareInFile((t) => openLedger(t));

async function scene(ledger: Ledger) {
  const ann = await settle(ledger, { usdc: '20' });
  const bob = await settle(ledger);
  const payment = Operation.payment({ destination: bob.publicKey(), asset: ledger.usdc, amount: '5' });
  const transaction = await write(ledger, { by: ann, operations: [payment] });
  return { ann, bob, transaction, hash: Buffer.from(transaction.hash()).toString('hex') };
}

const post = ({ sandbox }: Ledger, tx: string) =>
  fetch(`${sandbox.urls.ledger}/transactions`, { method: 'POST', body: new URLSearchParams({ tx }) });

test('a payment that times out with a delay answers 504 in the network’s form and did not happen', async () => {
  const ledger = shared();
  const { bob, transaction, hash } = await scene(ledger);
  ledger.sandbox.faults.arm({ operation: 'payment', fault: 'timeout', delayMs: 5 });
  const answer = await post(ledger, transaction.toXDR());
  const body = (await answer.json()) as { type: string; extras: { hash: string } };
  assert.deepEqual([answer.status, body.type.split('/').at(-1), body.extras.hash], [504, 'timeout', hash]);
  assert.equal((await balances(ledger, bob.publicKey())).usdc, '0.0000000');
  assert.equal((await post(ledger, transaction.toXDR())).status, 200);
});

test('a payment whose answer is lost happened and is found by its hash', async () => {
  const ledger = shared();
  const { bob, transaction, hash } = await scene(ledger);
  ledger.sandbox.faults.arm({ operation: 'payment', fault: 'lost-answer', delayMs: 5 });
  await assert.rejects(post(ledger, transaction.toXDR()));
  assert.equal((await ledger.horizon.transactions().transaction(hash).call()).successful, true);
  assert.equal((await balances(ledger, bob.publicKey())).usdc, '5.0000000');
});

test('an outage cuts the connection and nothing happened', async () => {
  const ledger = shared();
  const { bob, transaction } = await scene(ledger);
  ledger.sandbox.faults.arm({ operation: 'payment', fault: 'outage' });
  await assert.rejects(post(ledger, transaction.toXDR()));
  assert.equal((await balances(ledger, bob.publicKey())).usdc, '0.0000000');
});

test('a refused payment is a definite no on the ledger', async () => {
  const ledger = shared();
  const { bob, transaction, hash } = await scene(ledger);
  ledger.sandbox.faults.arm({ operation: 'payment', fault: 'refusal', match: bob.publicKey() });
  const codes = await codesOf(ledger.horizon.submitTransaction(transaction));
  assert.deepEqual(codes, { transaction: 'tx_failed', operations: ['op_not_authorized'] });
  assert.equal((await ledger.horizon.transactions().transaction(hash).call()).successful, false);
  assert.equal((await balances(ledger, bob.publicKey())).usdc, '0.0000000');
});

test('HTTP 200 with a failure inside is no success', async () => {
  const ledger = shared();
  const { bob, transaction, hash } = await scene(ledger);
  ledger.sandbox.faults.arm({ operation: 'payment', fault: 'http-200-failed' });
  const answer = await post(ledger, transaction.toXDR());
  assert.equal(answer.status, 200);
  const { successful, hash: told } = (await answer.json()) as { successful: boolean; hash: string };
  assert.deepEqual([successful, told], [false, hash]);
  assert.equal((await balances(ledger, bob.publicKey())).usdc, '0.0000000');
});

test('a wrong amount is paid, and only to whom the script names', async () => {
  const ledger = shared();
  const { ann, bob, transaction } = await scene(ledger);
  ledger.sandbox.faults.arm({ operation: 'payment', fault: 'wrong-amount', match: 'another address' });
  ledger.sandbox.faults.arm({ operation: 'payment', fault: 'wrong-amount', match: bob.publicKey() });
  await ledger.horizon.submitTransaction(transaction);
  assert.equal((await balances(ledger, bob.publicKey())).usdc, '2.5000000');
  assert.equal((await balances(ledger, ann.publicKey())).usdc, '17.5000000');
  assert.equal(ledger.sandbox.faults.list().length, 1);
  ledger.sandbox.faults.clear();
});

test('a slow answer is late and true', async () => {
  const ledger = shared();
  const { transaction } = await scene(ledger);
  ledger.sandbox.faults.arm({ operation: 'payment', fault: 'slow', delayMs: 30 });
  const started = performance.now();
  assert.equal((await post(ledger, transaction.toXDR())).status, 200);
  assert.ok(performance.now() - started >= 29);
});

test('reads of an account and of a transaction know refusal, timeout, outage, slow and another amount', async () => {
  const ledger = shared();
  const { ann, transaction, hash } = await scene(ledger);
  await ledger.horizon.submitTransaction(transaction);
  const { faults, urls } = ledger.sandbox;
  const reads = [
    ['account', `${urls.ledger}/accounts/${ann.publicKey()}`],
    ['transaction-get', `${urls.ledger}/transactions/${hash}`],
  ] as const;
  for (const [operation, url] of reads) {
    faults.arm({ operation, fault: 'refusal' });
    assert.equal((await fetch(url)).status, 400);
    faults.arm({ operation, fault: 'outage' });
    await assert.rejects(fetch(url));
    faults.arm({ operation, fault: 'timeout' });
    await assert.rejects(fetch(url, { signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' });
    faults.arm({ operation, fault: 'slow', delayMs: 1 });
    assert.equal((await fetch(url)).status, 200);
    assert.deepEqual(faults.list(), []);
  }
  faults.arm({ operation: 'account', fault: 'wrong-amount' });
  assert.equal((await balances(ledger, ann.publicKey())).usdc, '7.5000000');
  faults.arm({ operation: 'transaction-get', fault: 'wrong-amount' });
  const [operation] = (await ledger.horizon.operations().forTransaction(hash).call()).records;
  assert.ok(operation?.type === 'payment');
  assert.equal(operation.amount, '1.6666666', 'another share than in the list of payments');
});
