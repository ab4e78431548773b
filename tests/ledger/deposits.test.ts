// Deposits: an outsider's payment to a custodial wallet is credited once, to the last decimal, whenever it happened.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Asset, Operation } from '@stellar/stellar-sdk';
import { recordDeposit } from '../../server/src/ledger/deposits/record-deposit.ts';
import { codesOf, perform, settle } from '../../tools/simulation/ledger-accounts.ts';
import { everyRow, MARKETPLACE, openDepositFixture, outsiderOf } from './deposit-fixture.ts';

const DEPOSITS = `select d.id, d.user_id, d.asset, d.currency, d.amount, d.transaction_hash, d.from_address
  from deposits d where d.user_id is not null order by d.id`;

const EVENTS = `select envelope::json as event from events where event_type = 'balance.credited' order by position`;

test('a payment from outside is credited once, with its event, its audit entry and the cursor behind it', async (t) => {
  const { user, pay, pollAll, books, sql } = await openDepositFixture(t);
  const { userId, address, id } = await user();
  await pay(address, '25.50');
  assert.equal(await pollAll(), 1);
  assert.equal(await pollAll(), 0);
  assert.equal(await books(`${userId}:available:USD`), '25.5000000');
  assert.equal(await books(`wallet:${address}:USD`), '25.5000000');

  const [deposit, ...others] = (await sql(DEPOSITS)) as Record<string, unknown>[];
  assert.deepEqual(others, []);
  assert.deepEqual([deposit!.user_id, deposit!.asset, deposit!.currency], [userId, 'USDC', 'USD']);
  const [row, ...more] = (await sql(EVENTS)) as unknown as { event: Record<string, Record<string, unknown>> }[];
  assert.deepEqual(more, []);
  assert.deepEqual(row!.event.payload, {
    userId,
    amount: '25.50',
    currency: 'USD',
    source: 'deposit',
    sourceId: deposit!.id,
    previousAvailableBalance: '0.00',
    newAvailableBalance: '25.50',
  });
  assert.equal(row!.event.metadata!.userId, userId);
  const entries = await sql(`select user_id, resource_id from audit_entries
    where action = 'DEPOSIT_RECORDED' and user_id is not null`);
  assert.deepEqual(entries, [{ user_id: userId, resource_id: id }]);
  assert.deepEqual(await sql('select payments_cursor from wallets where id = $1', [id]), [
    { payments_cursor: deposit!.id },
  ]);
});

test('a payment of our own transaction is not a deposit', async (t) => {
  const { user, keep, treasury, pay, ledger, pollAll, books, sql } = await openDepositFixture(t);
  const { userId, address } = await user();
  await pay(treasury.address, '100');
  assert.equal(await pollAll(), 1, 'the operator filled the treasury');
  const { send, settle } = await keep({
    by: treasury,
    operations: [Operation.payment({ destination: address, asset: ledger.usdc, amount: '40' })],
    actions: [{ type: 'pay', to: address, asset: 'USDC', currency: 'USD', units: '400000000', paymentId: null }],
  });
  await send();
  assert.equal(await pollAll(), 0, 'on the ledger, and not settled');
  await settle();
  assert.equal(await pollAll(), 0);
  assert.equal(await books(`${userId}:available:USD`), '0.0000000');
  assert.equal(await books(`wallet:${address}:USD`), '40.0000000');
  assert.deepEqual(await sql(DEPOSITS), []);
});

test('a deposit to the treasury belongs to the operator and changes no user balance', async (t) => {
  const { treasury, pay, pollAll, books, sql } = await openDepositFixture(t);
  await pay(treasury.address, '1000');
  assert.equal(await pollAll(), 1);
  assert.equal(await books(`wallet:${treasury.address}:USD`), '1000.0000000');
  assert.equal(await books('operator:adjustments:USD'), '1000.0000000');
  assert.deepEqual(await sql(EVENTS), []);
});

test('two payments in one transaction are two deposits (defect 22)', async (t) => {
  const { user, ledger, pollAll, books, sql } = await openDepositFixture(t);
  const ann = await user();
  const bob = await user();
  const payer = await settle(ledger, { usdc: '100' });
  const paying = (destination: string, amount: string) =>
    Operation.payment({ destination, asset: ledger.usdc, amount });
  const operations = [paying(ann.address, '1.25'), paying(ann.address, '1.25'), paying(bob.address, '7')];
  await perform(ledger, { by: payer, operations, fee: '100' });
  assert.equal(await pollAll(), 3);
  assert.equal(await pollAll(), 0);
  assert.equal(await books(`${ann.userId}:available:USD`), '2.5000000');
  assert.equal(await books(`${bob.userId}:available:USD`), '7.0000000');
  const hashes = new Set((await sql(DEPOSITS)).map((row) => row.transaction_hash));
  assert.equal(hashes.size, 1);
});

test('path payments count, and a ten-millionth is kept', async (t) => {
  const { user, ledger, pollAll, books } = await openDepositFixture(t);
  const { userId, address: destination } = await user();
  const payer = await settle(ledger, { usdc: '100' });
  const { usdc } = ledger;
  await perform(ledger, {
    by: payer,
    operations: [
      Operation.pathPaymentStrictReceive({
        sendAsset: usdc,
        sendMax: '5',
        destination,
        destAsset: usdc,
        destAmount: '2.0000001',
      }),
      Operation.pathPaymentStrictSend({
        sendAsset: usdc,
        sendAmount: '0.0000001',
        destination,
        destAsset: usdc,
        destMin: '0.0000001',
      }),
    ],
  });
  assert.equal(await pollAll(), 2);
  assert.equal(await books(`${userId}:available:USD`), '2.0000002');
});

test('the creation of an account by an outsider counts as a deposit, in the native asset', async (t) => {
  const { pendingUser, network, deposits, books } = await openDepositFixture(t);
  const { userId, address, id: walletId } = await pendingUser();
  assert.equal((await network.friendbot(address)).kind, 'yes');
  const polled = await deposits.pollNow({ marketplaceId: MARKETPLACE, walletId });
  assert.deepEqual(polled, { kind: 'yes', value: { recorded: 1 } });
  assert.equal(await books(`${userId}:available:XLM`), '10000.0000000');
});

test('a failed transaction and another asset of the same name are not credited', async (t) => {
  const { user, ledger, pollAll, books, sql } = await openDepositFixture(t);
  const { userId, address, key } = await user();
  const payer = await settle(ledger, { usdc: '10' });
  const paying = (amount: string) => Operation.payment({ destination: address, asset: ledger.usdc, amount });
  const codes = await codesOf(perform(ledger, { by: payer, operations: [paying('1'), paying('1000')] }));
  assert.equal(codes.transaction, 'tx_failed');

  const outsider = await outsiderOf(ledger);
  const callSandbox = new Asset('USDC', outsider.publicKey());
  await perform(ledger, {
    by: outsider,
    operations: [
      Operation.changeTrust({ asset: callSandbox, source: address }),
      Operation.payment({ destination: address, asset: callSandbox, amount: '500' }),
    ],
    signers: [outsider, key],
  });
  assert.equal(await pollAll(), 0);
  assert.equal(await books(`${userId}:available:USD`), '0.0000000');
  assert.deepEqual(await sql(DEPOSITS), []);
});

test('a page that was read from an older cursor changes nothing', async (t) => {
  const { user, pay, pollAll, reads, pool, run } = await openDepositFixture(t);
  const { id, address } = await user();
  const stale = (await reads.find({ marketplaceId: MARKETPLACE, id }))!;
  await pay(address, '1');
  await pollAll();
  const before = await everyRow(pool);
  const reply = await run(recordDeposit, {
    wallet: stale,
    read: { after: stale.paymentsCursor, to: '1' },
    payments: [],
  });
  assert.deepEqual(reply, { taken: false, recorded: 0 });
  assert.deepEqual(await everyRow(pool), before);
});

test('a poll that the ledger does not answer, or answers wrong, moves no cursor and loses nothing', async (t) => {
  const { user, pay, sandbox, deposits, books, sql } = await openDepositFixture(t);
  const { userId, address, id: walletId } = await user();
  await pay(address, '3');
  const cursor = await sql('select payments_cursor from wallets where id = $1', [walletId]);
  // The last fault shows another amount, once: an amount that only one answer shows is not credited.
  for (const fault of ['outage', 'refusal', 'timeout', 'wrong-amount'] as const) {
    sandbox.faults.arm({ operation: 'account', fault, count: 1, delayMs: 50 });
    const polled = await deposits.pollNow({ marketplaceId: MARKETPLACE, walletId });
    assert.notEqual(polled.kind, 'yes', fault);
    assert.deepEqual(await sql('select payments_cursor from wallets where id = $1', [walletId]), cursor);
  }
  assert.equal((await deposits.pollNow({ marketplaceId: MARKETPLACE, walletId })).kind, 'yes');
  assert.equal(await books(`${userId}:available:USD`), '3.0000000');
});
