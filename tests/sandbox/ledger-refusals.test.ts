// Every way in which the ledger network's simulator says no, by the network's own code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Account, Asset, Keypair, Operation, type Transaction, TransactionBuilder } from '@stellar/stellar-sdk';
import { codesOf, type Ledger, openLedger, perform, settle, write } from '../../tools/simulation/ledger-accounts.ts';
import { shareInFile } from '../support/share-in-file.ts';

/** The ledger that the tests of this file share; each has accounts of its own. */
const shared = shareInFile((t) => openLedger(t));

const submit = ({ horizon }: Ledger, transaction: Transaction) =>
  horizon.submitTransaction(transaction, { skipMemoRequiredCheck: true });

const toIssuer = ({ issuer }: Ledger) => Operation.payment({ destination: issuer, asset: Asset.native(), amount: '1' });

test('tx_bad_seq: a sequence number that was used up', async () => {
  const ledger = shared();
  const ann = await settle(ledger);
  const one = await write(ledger, { by: ann, operations: [toIssuer(ledger)] });
  const two = await write(ledger, { by: ann, operations: [toIssuer(ledger)], bounds: { minTime: 0, maxTime: 0 } });
  await submit(ledger, one);
  assert.deepEqual(await codesOf(submit(ledger, two)), { transaction: 'tx_bad_seq' });
});

test('tx_bad_auth: no signature, the signature of another key, or a signature for another network', async () => {
  const ledger = shared();
  const ann = await settle(ledger);
  const bob = await settle(ledger);
  const unsigned = await write(ledger, { by: ann, operations: [toIssuer(ledger)], signers: [] });
  assert.deepEqual(await codesOf(submit(ledger, unsigned)), { transaction: 'tx_bad_auth' });
  const stranger = await write(ledger, { by: ann, operations: [toIssuer(ledger)], signers: [bob] });
  assert.deepEqual(await codesOf(submit(ledger, stranger)), { transaction: 'tx_bad_auth' });
  const elsewhere = TransactionBuilder.fromXDR(unsigned.toXDR(), 'Another Network') as Transaction;
  elsewhere.sign(ann);
  assert.deepEqual(await codesOf(submit(ledger, elsewhere)), { transaction: 'tx_bad_auth' });
});

test('tx_bad_auth_extra: a signature that is not needed', async () => {
  const ledger = shared();
  const ann = await settle(ledger);
  const bob = await settle(ledger);
  const extra = await write(ledger, { by: ann, operations: [toIssuer(ledger)], signers: [ann, bob] });
  assert.deepEqual(await codesOf(submit(ledger, extra)), { transaction: 'tx_bad_auth_extra' });
});

test('op_bad_auth: an operation of an account that did not sign', async () => {
  const ledger = shared();
  const ann = await settle(ledger);
  const bob = await settle(ledger);
  const theft = Operation.payment({
    source: bob.publicKey(),
    destination: ann.publicKey(),
    asset: Asset.native(),
    amount: '1',
  });
  const codes = await codesOf(perform(ledger, { by: ann, operations: [theft] }));
  assert.deepEqual(codes, { transaction: 'tx_failed', operations: ['op_bad_auth'] });
});

test('op_no_source_account: an operation of an account that does not exist', async () => {
  const ledger = shared();
  const ann = await settle(ledger);
  const unknownKey = Keypair.random();
  const trust = Operation.changeTrust({ asset: ledger.usdc, source: unknownKey.publicKey() });
  const codes = await codesOf(perform(ledger, { by: ann, operations: [trust], signers: [ann, unknownKey] }));
  assert.deepEqual(codes, { transaction: 'tx_failed', operations: ['op_no_source_account'] });
});

test('tx_too_late and tx_too_early follow the clock as it is moved', async () => {
  const ledger = shared();
  const ann = await settle(ledger);
  const now = Math.floor(ledger.sandbox.clock.now() / 1_000);
  const bounds = { minTime: now + 600, maxTime: now + 1_200 };
  const transaction = await write(ledger, { by: ann, operations: [toIssuer(ledger)], bounds });
  assert.deepEqual(await codesOf(submit(ledger, transaction)), { transaction: 'tx_too_early' });
  const late = await write(ledger, { by: ann, operations: [toIssuer(ledger)] });
  await ledger.sandbox.clock.advance(700_000);
  assert.deepEqual(await codesOf(submit(ledger, late)), { transaction: 'tx_too_late' });
  assert.equal((await submit(ledger, transaction)).successful, true);
});

test('tx_insufficient_fee and tx_insufficient_balance: the fee is too low, or cannot be paid', async (t) => {
  const ledger = await openLedger(t, { ledger: { baseFee: 250 } });
  const ann = await settle(ledger, { trust: false });
  const cheap = perform(ledger, { by: ann, operations: [toIssuer(ledger)], fee: '249' });
  assert.deepEqual(await codesOf(cheap), { transaction: 'tx_insufficient_fee' });
  const poor = Keypair.random();
  const create = Operation.createAccount({ destination: poor.publicKey(), startingBalance: '1' });
  await perform(ledger, { by: ann, operations: [create], fee: '250' });
  const broke = perform(ledger, { by: poor, operations: [toIssuer(ledger)], fee: '250' });
  assert.deepEqual(await codesOf(broke), { transaction: 'tx_insufficient_balance' });
});

test('tx_no_source_account: the sender does not exist', async () => {
  const ledger = shared();
  const ann = await settle(ledger);
  const unknownKey = Keypair.random();
  const transaction = await write(ledger, { by: ann, operations: [toIssuer(ledger)], signers: [] });
  const builder = new TransactionBuilder(new Account(unknownKey.publicKey(), '1'), {
    fee: '100',
    networkPassphrase: transaction.networkPassphrase,
  });
  const orphan = builder.addOperation(toIssuer(ledger)).setTimeout(0).build();
  orphan.sign(unknownKey);
  assert.deepEqual(await codesOf(submit(ledger, orphan)), { transaction: 'tx_no_source_account' });
});

test('a payment fails with op_underfunded, op_no_destination, op_no_trust, op_src_no_trust or op_line_full', async () => {
  const ledger = shared();
  const { usdc } = ledger;
  const ann = await settle(ledger, { usdc: '10' });
  const bob = await settle(ledger);
  const eve = await settle(ledger, { trust: false });
  await perform(ledger, { by: bob, operations: [Operation.changeTrust({ asset: usdc, limit: '2' })] });
  const pay = (to: string, amount: string, asset = usdc) => Operation.payment({ destination: to, asset, amount });
  const cases: [string, Keypair, ReturnType<typeof pay>][] = [
    ['op_underfunded', ann, pay(ledger.issuer, '10.0000001')],
    ['op_underfunded', eve, pay(ann.publicKey(), '9999.5', Asset.native())],
    ['op_no_destination', ann, pay(Keypair.random().publicKey(), '1')],
    ['op_no_trust', ann, pay(eve.publicKey(), '1')],
    ['op_src_no_trust', eve, pay(ann.publicKey(), '1')],
    ['op_line_full', ann, pay(bob.publicKey(), '2.0000001')],
  ];
  for (const [code, by, operation] of cases) {
    const codes = await codesOf(perform(ledger, { by, operations: [operation] }));
    assert.deepEqual(codes, { transaction: 'tx_failed', operations: [code] });
  }
});

test('a path payment fails with op_too_few_offers, op_under_dest_min or op_over_source_max', async () => {
  const ledger = shared();
  const { usdc } = ledger;
  const ann = await settle(ledger, { usdc: '10' });
  const bob = await settle(ledger);
  const destination = bob.publicKey();
  const send = (sendAsset: Asset, destMin: string) =>
    Operation.pathPaymentStrictSend({ sendAsset, sendAmount: '1', destination, destAsset: usdc, destMin, path: [] });
  const receive = (sendMax: string) =>
    Operation.pathPaymentStrictReceive({
      sendAsset: usdc,
      sendMax,
      destination,
      destAsset: usdc,
      destAmount: '2',
      path: [],
    });
  const operations = [send(Asset.native(), '1'), send(usdc, '1.5'), receive('1.9')];
  const codes = await codesOf(perform(ledger, { by: ann, operations }));
  assert.deepEqual(codes.operations, ['op_too_few_offers', 'op_under_dest_min', 'op_over_source_max']);
});

test('an account or a trustline below the reserve is op_low_reserve; a second account op_already_exists', async () => {
  const ledger = shared();
  const ann = await settle(ledger);
  const newcomer = Keypair.random();
  const create = (startingBalance: string) =>
    Operation.createAccount({ destination: newcomer.publicKey(), startingBalance });
  const low = await codesOf(perform(ledger, { by: ann, operations: [create('0.9999999')] }));
  assert.deepEqual(low.operations, ['op_low_reserve']);
  await perform(ledger, { by: ann, operations: [create('1.4999999')] });
  assert.deepEqual((await codesOf(perform(ledger, { by: ann, operations: [create('1')] }))).operations, [
    'op_already_exists',
  ]);
  const trust = Operation.changeTrust({ asset: ledger.usdc });
  assert.deepEqual((await codesOf(perform(ledger, { by: newcomer, operations: [trust] }))).operations, [
    'op_low_reserve',
  ]);
});

test('a trustline needs an existing issuer, cannot shrink below its balance, and cannot be to oneself', async () => {
  const ledger = shared();
  const ann = await settle(ledger, { usdc: '10' });
  const trust = (asset: Asset, limit?: string) => Operation.changeTrust({ asset, limit });
  const operations = [
    trust(new Asset('EURC', Keypair.random().publicKey())),
    trust(ledger.usdc, '9'),
    trust(ledger.usdc, '0'),
    trust(new Asset('ANN', ann.publicKey())),
  ];
  const codes = await codesOf(perform(ledger, { by: ann, operations }));
  assert.deepEqual(codes.operations, ['op_no_issuer', 'op_invalid_limit', 'op_invalid_limit', 'op_self_not_allowed']);
});

test('what is not known is 404 with a problem document, and what is malformed is 400', async () => {
  const { sandbox } = shared();
  const ask = async (path: string, init?: RequestInit) => {
    const answer = await fetch(sandbox.urls.ledger + path, init);
    const body = (await answer.json()) as { type: string; status: number };
    return [answer.status, body.status, body.type.split('/').at(-1)];
  };
  assert.deepEqual(await ask(`/accounts/${Keypair.random().publicKey()}`), [404, 404, 'not_found']);
  assert.deepEqual(await ask(`/transactions/${'0'.repeat(64)}`), [404, 404, 'not_found']);
  assert.deepEqual(await ask('/nothing-here'), [404, 404, 'not_found']);
  assert.deepEqual(await ask('/accounts/GABC'), [400, 400, 'bad_request']);
  const body = new URLSearchParams({ tx: 'AAAA' });
  assert.deepEqual(await ask('/transactions', { method: 'POST', body }), [400, 400, 'transaction_malformed']);
});
