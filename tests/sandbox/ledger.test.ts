// The ledger network's simulator as the official client meets it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Asset, Keypair, Memo, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import {
  balances,
  codesOf,
  faucet,
  openLedger,
  PASSPHRASE,
  perform,
  settle,
  write,
} from '../../tools/simulation/ledger-accounts.ts';
import { shareInFile } from '../support/share-in-file.ts';

/** The ledger that the tests of this file share; each has accounts of its own. */
const shared = shareInFile((t) => openLedger(t));

test('the official client reads the root, the fees, the latest ledger and a new account', async () => {
  const ledger = shared();
  const { horizon } = ledger;
  assert.equal((await horizon.root()).network_passphrase, PASSPHRASE);
  assert.equal((await horizon.feeStats()).last_ledger_base_fee, '100');
  const [latest] = (await horizon.ledgers().order('desc').limit(1).call()).records;
  assert.ok(latest!.sequence >= 1);
  const person = await settle(ledger, { usdc: '12.3456789' });
  const account = await horizon.loadAccount(person.publicKey());
  assert.equal(account.subentry_count, 1);
  assert.deepEqual(await balances(ledger, person.publicKey()), { usdc: '12.3456789', xlm: '9999.9999900' });
});

test('a payment moves exactly its amount, costs 100 units of fee and is found by hash, operation and account', async () => {
  const ledger = shared();
  const { horizon, usdc } = ledger;
  const ann = await settle(ledger, { usdc: '20' });
  const bob = await settle(ledger);
  const payment = Operation.payment({ destination: bob.publicKey(), asset: usdc, amount: '7.0000001' });
  const { hash } = await perform(ledger, { by: ann, operations: [payment] });
  assert.deepEqual(await balances(ledger, ann.publicKey()), { usdc: '12.9999999', xlm: '9999.9999800' });
  assert.equal((await balances(ledger, bob.publicKey())).usdc, '7.0000001');
  const found = await horizon.transactions().transaction(hash).call();
  assert.deepEqual([found.successful, found.fee_charged, found.operation_count], [true, '100', 1]);
  const [operation] = (await horizon.operations().forTransaction(hash).call()).records;
  const [received] = (await horizon.payments().forAccount(bob.publicKey()).order('desc').limit(1).call()).records;
  assert.equal(operation!.id, received!.id);
  assert.ok(received?.type === 'payment');
  assert.deepEqual([received.from, received.to, received.amount], [ann.publicKey(), bob.publicKey(), '7.0000001']);
  const hashes = (await horizon.transactions().forAccount(ann.publicKey()).call()).records.map((entry) => entry.hash);
  assert.ok(hashes.includes(hash));
});

test('two payments in one transaction are two operations with growing ids, and a cursor is not on its page', async () => {
  const ledger = shared();
  const { horizon, usdc } = ledger;
  const ann = await settle(ledger, { usdc: '20' });
  const bob = await settle(ledger);
  const pay = (amount: string) => Operation.payment({ destination: bob.publicKey(), asset: usdc, amount });
  await perform(ledger, { by: ann, operations: [pay('1'), pay('2')], fee: '100' });
  const list = () => horizon.payments().forAccount(bob.publicKey());
  const all = (await list().order('asc').call()).records;
  assert.deepEqual(
    all.map((record) => ('amount' in record ? record.amount : record.type)),
    ['create_account', '1.0000000', '2.0000000'],
  );
  const ids = all.map(({ paging_token }) => BigInt(paging_token));
  assert.ok(ids[0]! < ids[1]! && ids[1]! < ids[2]!);
  const after = await list().cursor(all[1]!.paging_token).order('asc').call();
  assert.deepEqual(
    after.records.map(({ id }) => id),
    [all[2]!.id],
  );
  assert.deepEqual((await after.next()).records, []);
  const newest = await list().order('desc').limit(2).call();
  assert.deepEqual(
    newest.records.map(({ id }) => id),
    [all[2]!.id, all[1]!.id],
  );
  assert.deepEqual((await list().cursor('now').order('asc').call()).records, []);
});

test('a path payment of one asset is a payment on both pages', async () => {
  const ledger = shared();
  const { horizon, usdc } = ledger;
  const ann = await settle(ledger, { usdc: '20' });
  const bob = await settle(ledger);
  const destination = bob.publicKey();
  await perform(ledger, {
    by: ann,
    operations: [
      Operation.pathPaymentStrictSend({
        sendAsset: usdc,
        sendAmount: '3',
        destination,
        destAsset: usdc,
        destMin: '3',
        path: [],
      }),
      Operation.pathPaymentStrictReceive({
        sendAsset: usdc,
        sendMax: '5',
        destination,
        destAsset: usdc,
        destAmount: '4',
        path: [],
      }),
    ],
  });
  assert.equal((await balances(ledger, destination)).usdc, '7.0000000');
  for (const address of [destination, ann.publicKey()]) {
    const { records } = await horizon.payments().forAccount(address).order('desc').limit(2).call();
    assert.deepEqual(
      records.map((record) => [record.type as string, 'amount' in record && record.amount]),
      [
        ['path_payment_strict_receive', '4.0000000'],
        ['path_payment_strict_send', '3.0000000'],
      ],
    );
  }
});

test('the same envelope again gets the first answer and moves nothing', async (t) => {
  // It moves the clock.
  const ledger = await openLedger(t);
  const ann = await settle(ledger, { usdc: '20' });
  const bob = await settle(ledger);
  const payment = Operation.payment({ destination: bob.publicKey(), asset: ledger.usdc, amount: '5' });
  const transaction = await write(ledger, { by: ann, operations: [payment] });
  const first = await ledger.horizon.submitTransaction(transaction, { skipMemoRequiredCheck: true });
  await ledger.sandbox.clock.advance(3_600_000);
  const second = await ledger.horizon.submitTransaction(transaction, { skipMemoRequiredCheck: true });
  assert.deepEqual(second, first);
  assert.equal((await balances(ledger, bob.publicKey())).usdc, '5.0000000');
});

test('a fee bump lets another account pay the fee', async () => {
  const ledger = shared();
  const ann = await settle(ledger, { usdc: '20' });
  const bob = await settle(ledger);
  const before = await balances(ledger, ann.publicKey());
  const payment = Operation.payment({ destination: bob.publicKey(), asset: ledger.usdc, amount: '5' });
  const inner = await write(ledger, { by: ann, operations: [payment] });
  const bump = TransactionBuilder.buildFeeBumpTransaction(bob, '200', inner, PASSPHRASE);
  bump.sign(bob);
  const { hash } = await ledger.horizon.submitTransaction(bump);
  assert.equal((await balances(ledger, ann.publicKey())).xlm, before.xlm);
  assert.equal((await balances(ledger, bob.publicKey())).xlm, '9999.9999700');
  const innerHash = Buffer.from(inner.hash()).toString('hex');
  const byInner = await ledger.horizon.transactions().transaction(innerHash).call();
  // Like Horizon: a transaction is shown under the hash that was asked for.
  assert.deepEqual([byInner.hash, byInner.fee_bump_transaction?.hash], [innerHash, hash]);
});

test('an account and its trustline are made in one transaction signed by both', async () => {
  const ledger = shared();
  const ann = await settle(ledger);
  const newcomer = Keypair.random();
  const source = newcomer.publicKey();
  await perform(ledger, {
    by: ann,
    operations: [
      Operation.createAccount({ destination: source, startingBalance: '1.5' }),
      Operation.changeTrust({ asset: ledger.usdc, source }),
    ],
    signers: [ann, newcomer],
  });
  assert.deepEqual(await balances(ledger, source), { usdc: '0.0000000', xlm: '1.5000000' });
});

test('a transaction happens wholly or not at all, and one that failed on the ledger still costs fee and number', async () => {
  const ledger = shared();
  const ann = await settle(ledger, { usdc: '20' });
  const bob = await settle(ledger);
  const pay = (amount: string) => Operation.payment({ destination: bob.publicKey(), asset: ledger.usdc, amount });
  const before = await ledger.horizon.loadAccount(ann.publicKey());
  const transaction = await write(ledger, { by: ann, operations: [pay('5'), pay('16')] });
  const codes = await codesOf(ledger.horizon.submitTransaction(transaction, { skipMemoRequiredCheck: true }));
  assert.deepEqual(codes, { transaction: 'tx_failed', operations: ['op_success', 'op_underfunded'] });
  const after = await ledger.horizon.loadAccount(ann.publicKey());
  assert.equal(BigInt(after.sequenceNumber()), BigInt(before.sequenceNumber()) + 1n);
  assert.deepEqual(await balances(ledger, ann.publicKey()), { usdc: '20.0000000', xlm: '9999.9999700' });
  const found = await ledger.horizon.transactions().transaction(Buffer.from(transaction.hash()).toString('hex')).call();
  assert.equal(found.successful, false);
  const { records } = await ledger.horizon.payments().forAccount(bob.publicKey()).call();
  assert.equal(records.length, 1);
});

test('an asynchronous submission is pending, then found; a second one is a duplicate', async () => {
  const ledger = shared();
  const ann = await settle(ledger);
  const pay = Operation.payment({ destination: ledger.issuer, asset: Asset.native(), amount: '1' });
  const transaction = await write(ledger, { by: ann, operations: [pay] });
  const post = async () => {
    const body = new URLSearchParams({ tx: transaction.toXDR() });
    const answer = await fetch(`${ledger.sandbox.urls.ledger}/transactions_async`, { method: 'POST', body });
    const { tx_status, hash } = (await answer.json()) as Record<string, string>;
    return [answer.status, tx_status, hash];
  };
  const hash = Buffer.from(transaction.hash()).toString('hex');
  assert.deepEqual(await post(), [201, 'PENDING', hash]);
  assert.deepEqual(await post(), [409, 'DUPLICATE', hash]);
  assert.equal((await ledger.horizon.transactions().transaction(hash).call()).successful, true);
});

test('a memo is kept with its transaction', async () => {
  const ledger = shared();
  const ann = await settle(ledger);
  const source = await ledger.horizon.loadAccount(ann.publicKey());
  const pay = Operation.payment({ destination: ledger.issuer, asset: Asset.native(), amount: '1' });
  const transaction = new TransactionBuilder(source, {
    fee: '100',
    networkPassphrase: PASSPHRASE,
    memo: Memo.text('wdr_1'),
  })
    .addOperation(pay)
    .setTimeout(60)
    .build();
  transaction.sign(ann);
  const { hash } = await ledger.horizon.submitTransaction(transaction);
  const { memo, memo_type } = await ledger.horizon.transactions().transaction(hash).call();
  assert.deepEqual([memo_type, memo], ['text', 'wdr_1']);
});

test('the faucet says what to do when an address cannot receive', async () => {
  const ledger = shared();
  const unknownAddress = Keypair.random().publicKey();
  const missing = await faucet(ledger, { address: unknownAddress, asset: 'USDC', amount: '1' });
  assert.deepEqual([missing.status, /friendbot\?addr=/.test(missing.error!)], [404, true]);
  const ann = await settle(ledger, { trust: false });
  const untrusting = await faucet(ledger, { address: ann.publicKey(), asset: 'USDC', amount: '1' });
  assert.deepEqual([untrusting.status, /does not trust/.test(untrusting.error!)], [422, true]);
  const paid = await faucet(ledger, { address: ann.publicKey(), asset: 'XLM', amount: '0.0000001' });
  assert.equal(paid.status, 200);
  assert.equal((await balances(ledger, ann.publicKey())).xlm, '10000.0000001');
});

test('the payments of the whole network are listed page by page, a merged account among them without its amount', async () => {
  const ledger = shared();
  const { horizon } = ledger;
  const [last] = (await horizon.payments().order('desc').limit(1).call()).records;
  const ann = await settle(ledger, { usdc: '20' });
  const bob = await settle(ledger, { trust: false });
  const pay = Operation.payment({ destination: ann.publicKey(), asset: Asset.native(), amount: '1' });
  await perform(ledger, { by: bob, operations: [pay] });
  const merge = Operation.accountMerge({ destination: ann.publicKey() });
  await perform(ledger, { by: bob, operations: [merge] });
  const seen: { type: string; id: string }[] = [];
  let page = await horizon
    .payments()
    .cursor(last?.paging_token ?? '0')
    .limit(2)
    .call();
  while (page.records.length > 0) {
    seen.push(...page.records);
    page = await page.next();
  }
  assert.deepEqual(
    seen.map(({ type }) => type),
    ['create_account', 'payment', 'create_account', 'payment', 'account_merge'],
  );
  const effects = (await horizon.effects().forOperation(seen.at(-1)!.id).call()).records as unknown as {
    type: string;
    account: string;
    amount: string;
  }[];
  const credit = effects.find(({ type }) => type === 'account_credited')!;
  assert.deepEqual([credit.account, credit.amount], [ann.publicKey(), '9998.9999800']);
  assert.equal((await balances(ledger, ann.publicKey())).xlm, '19999.9999700');
  await assert.rejects(horizon.loadAccount(bob.publicKey()));
});

test('an account with a trustline, or into a missing account, is not merged', async () => {
  const ledger = shared();
  const ann = await settle(ledger);
  const bob = await settle(ledger, { trust: false });
  const merge = (destination: string) => [Operation.accountMerge({ destination })];
  const trusting = await codesOf(perform(ledger, { by: ann, operations: merge(bob.publicKey()) }));
  assert.deepEqual(trusting.operations, ['op_has_sub_entries']);
  const missing = await codesOf(perform(ledger, { by: bob, operations: merge(Keypair.random().publicKey()) }));
  assert.deepEqual(missing.operations, ['op_no_account']);
});
