// POST /users/{userId}/balance/sync: what the ledger shows at the user's address is what the books have there, or it is
// booked.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { Asset, Operation } from '@stellar/stellar-sdk';
import { type DomainError, isDomainError } from '../../server/src/base/domain-error.ts';
import { fromUnits } from '../../server/src/books/money.ts';
import { releasePayments } from '../../server/src/ledger/holds/payment-hold.ts';
import { reserveBalance } from '../../server/src/modules/balances/reserve-balance.ts';
import { syncBalance } from '../../server/src/modules/balances/sync-balance.ts';
import { createLedgerBalances, waitUntilSettled } from '../../server/src/modules/reconciliation/ledger-balances.ts';
import { exactUnits } from '../../tools/decimals.ts';
import { write } from '../../tools/simulation/ledger-accounts.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import {
  type DepositFixture,
  everyRow,
  type Owner,
  openDepositFixture,
  spendBehindTheBooks,
} from '../ledger/deposit-fixture.ts';
import { openLedgerApi } from '../ledger/ledger-api.ts';
import { shareInFile } from '../support/share-in-file.ts';

const EVENTS = `select envelope::json as event from events where aggregate_type = 'Balance' and aggregate_id = $1
  order by position`;

const openWithDoor = async (t: TestContext, options: { depositCurrency?: 'USD' | 'USDC' } = {}) => {
  const fixture = await openDepositFixture(t, options);
  return { fixture, call: await openLedgerApi(t, fixture) };
};

const shared = shareInFile((t) => openWithDoor(t as TestContext));

/** A user with ten dollars that came in on the ledger and were taken in. */
const fundedIn = async ({ fixture, call }: Awaited<ReturnType<typeof openWithDoor>>) => {
  const owner = await fixture.user();
  await fixture.pay(owner.address, '10');
  await fixture.pollAll();
  const sync = (query = '', headers = {}) => call(`POST /users/${owner.userId}/balance/sync${query}`, { headers });
  return { fixture, owner, call, sync };
};

/** The account for differences that the operator bears. */
const ADJUSTMENTS = 'operator:adjustments:USD';

/** The tests share books and ledger; each has a user of its own. */
const openFunded = () => fundedIn(shared());

/** Our own transaction pays more than it was settled for: the one way in that is no deposit. */
const overpay = async (
  fixture: DepositFixture,
  { to, booked, paid, asset }: { to: string; booked: string; paid: string; asset: 'USDC' | 'XLM' },
): Promise<void> => {
  const { treasury, ledger, keep } = fixture;
  await fixture.pay(treasury.address, '100');
  await fixture.pollAll();
  const onLedger = asset === 'XLM' ? Asset.native() : ledger.usdc;
  const currency = asset === 'XLM' ? 'XLM' : 'USD';
  const { send, settle } = await keep({
    by: treasury,
    operations: [Operation.payment({ destination: to, asset: onLedger, amount: paid })],
    actions: [{ type: 'pay', to, asset, currency, units: booked, paymentId: null }],
  });
  await send();
  await settle();
};

const eventsOf = async ({ sql }: DepositFixture, { userId }: Owner) =>
  ((await sql(EVENTS, [userId])) as unknown as { event: { eventType: string; payload: Record<string, string> } }[]).map(
    ({ event }) => [event.eventType, event.payload.amount, event.payload.source ?? event.payload.destination],
  );

const auditOf = async ({ sql }: DepositFixture, { address }: Owner) => {
  const rows = await sql(
    `select payload_after::json as after from audit_entries
     where action = 'BALANCE_SYNCED' and payload_after::json -> 'onLedger' ->> 'address' = $1 order by seq`,
    [address],
  );
  return (rows as unknown as { after: Record<string, unknown> }[]).map(({ after }) => after.onLedger);
};

const checkProof = async (call: Awaited<ReturnType<typeof openLedgerApi>>): Promise<void> => {
  const { body } = await call('GET /audit/proof');
  assert.equal(body.data.holds, true, JSON.stringify(body.data.checks));
};

test('200 without a difference changes nothing, says so, and is audited', async () => {
  const { fixture, owner, sync } = await openFunded();
  const { status, body } = await sync();
  assert.equal(status, 200);
  const { previousBalance, currentBalance, ...rest } = body.data;
  assert.deepEqual(rest, { synced: true, discrepancyDetected: false, adjustment: null });
  assert.deepEqual(previousBalance, currentBalance);
  assert.equal(currentBalance.available, '10.00');
  assert.deepEqual(await eventsOf(fixture, owner), [['balance.credited', '10.00', 'deposit']]);
  assert.deepEqual(await auditOf(fixture, owner), [
    {
      address: owner.address,
      ledger: '10.0000000',
      expected: '10.0000000',
      difference: '0.0000000',
      writtenOff: '0.0000000',
    },
  ]);
});

test('200 a deposit that was not taken in yet is one, and not a discrepancy', async () => {
  const { fixture, owner, sync } = await openFunded();
  await fixture.pay(owner.address, '2.50');
  const { body } = await sync();
  assert.deepEqual([body.data.discrepancyDetected, body.data.currentBalance.available], [false, '12.50']);
  assert.equal(await fixture.pollAll(), 0, 'and it is not credited again');
  assert.deepEqual(await eventsOf(fixture, owner), [
    ['balance.credited', '10.00', 'deposit'],
    ['balance.credited', '2.50', 'deposit'],
  ]);
});

test('200 what left the address behind the books is the loss of the user', async () => {
  const { fixture, owner, call, sync } = await openFunded();
  await spendBehindTheBooks(fixture.ledger, { from: owner, amount: '3.0000001' });
  const { status, body } = await sync();
  assert.equal(status, 200);
  const { previousBalance, currentBalance, ...rest } = body.data;
  assert.deepEqual(rest, { synced: true, discrepancyDetected: true, adjustment: '-3.0000001' });
  assert.deepEqual([previousBalance.available, currentBalance.available], ['10.00', '6.99']);
  assert.equal(await fixture.books(`wallet:${owner.address}:USD`), '6.9999999');
  assert.deepEqual((await eventsOf(fixture, owner)).at(-1), ['balance.debited', '3.00', 'sync']);
  assert.equal((await sync()).body.data.discrepancyDetected, false, 'it is booked once');
  await checkProof(call);
});

test('200 what the user no longer has of a loss is borne by the operator, and reserved money is not touched', async () => {
  const { fixture, owner, call, sync } = await openFunded();
  const { userId } = owner;
  const reserving = { userId, currency: 'USD', amount: fromUnits(80_000_000n), orderId: 'o1', reason: null } as const;
  await fixture.run(reserveBalance, reserving);
  const before = await fixture.books(ADJUSTMENTS);
  await spendBehindTheBooks(fixture.ledger, { from: owner, amount: '5' });
  const { body } = await sync();
  assert.deepEqual([body.data.discrepancyDetected, body.data.adjustment], [true, '-2.0000000']);
  const { available, reserved } = body.data.currentBalance;
  assert.deepEqual([available, reserved], ['0.00', '8.00']);
  assert.equal(exactUnits(await fixture.books(ADJUSTMENTS)) - exactUnits(before), -30_000_000n);
  assert.deepEqual((await auditOf(fixture, owner)).at(-1), {
    address: owner.address,
    ledger: '5.0000000',
    expected: '10.0000000',
    difference: '-5.0000000',
    writtenOff: '3.0000000',
  });
  await checkProof(call);
});

test('200 a loss beyond what the asked currency holds there is taken from the other that settles in the asset', async (t) => {
  const { fixture, owner, call, sync } = await fundedIn(await openWithDoor(t, { depositCurrency: 'USDC' }));
  await spendBehindTheBooks(fixture.ledger, { from: owner, amount: '4' });
  const { body } = await sync();
  assert.deepEqual([body.data.discrepancyDetected, body.data.adjustment], [true, null]);
  assert.equal(await fixture.books(`${owner.userId}:available:USDC`), '6.0000000');
  await checkProof(call);
});

test('200 what the ledger shows beyond the books is credited, in the native asset too', async () => {
  const { fixture, owner, call } = await openFunded();
  await overpay(fixture, { to: owner.address, booked: '10000000', paid: '2.5000001', asset: 'USDC' });
  await overpay(fixture, { to: owner.address, booked: '10000000', paid: '8', asset: 'XLM' });
  const inUsd = await call(`POST /users/${owner.userId}/balance/sync`);
  assert.deepEqual([inUsd.body.data.discrepancyDetected, inUsd.body.data.adjustment], [true, '1.5000001']);
  assert.equal(inUsd.body.data.currentBalance.available, '11.50');
  const inXlm = await call(`POST /users/${owner.userId}/balance/sync?currency=XLM`);
  assert.deepEqual([inXlm.body.data.currentBalance.currency, inXlm.body.data.adjustment], ['XLM', '7.0000000']);
  assert.deepEqual((await eventsOf(fixture, owner)).slice(1), [
    ['balance.credited', '1.50', 'sync'],
    ['balance.credited', '7.00', 'sync'],
  ]);
  await checkProof(call);
});

test('200 a wallet that is not active yet, and a user without one, have nothing to compare', async (t) => {
  const { fixture, call } = await openFunded();
  const { userId } = await fixture.pendingUser();
  fixture.sandbox.faults.arm({ operation: 'account', fault: 'outage', count: 100 });
  afterwards(t, () => fixture.sandbox.faults.clear());
  const { status, body } = await call(`POST /users/${userId}/balance/sync`);
  assert.deepEqual([status, body.data.synced, body.data.discrepancyDetected], [200, true, false]);
});

test('200 with an Idempotency-Key the loss is booked once and the answer is the same', async () => {
  const { fixture, owner, sync } = await openFunded();
  await spendBehindTheBooks(fixture.ledger, { from: owner, amount: '1' });
  const headers = { 'idempotency-key': randomUUID() };
  const first = await sync('', headers);
  const second = await sync('', headers);
  assert.deepEqual(second.body, first.body);
  assert.equal(first.body.data.adjustment, '-1.0000000');
  assert.equal(await fixture.books(`${owner.userId}:available:USD`), '9.0000000');
});

test('ten at once book a loss once', async () => {
  const { fixture, owner, call, sync } = await openFunded();
  await spendBehindTheBooks(fixture.ledger, { from: owner, amount: '1' });
  const answers = await Promise.all(Array.from({ length: 10 }, () => sync()));
  for (const { status } of answers) assert.ok(status === 200 || status === 503, String(status));
  assert.equal(answers.filter(({ body }) => body.data?.adjustment === '-1.0000000').length, 1);
  assert.equal(await fixture.books(`${owner.userId}:available:USD`), '9.0000000');
  await checkProof(call);
});

test('deposits that arrive while it looks are credited once, as deposits', async (t) => {
  const { fixture, owner } = await openFunded();
  const { network, reads } = fixture;
  let paid = 0;
  const balances = createLedgerBalances({
    ...fixture,
    network: {
      async account(address) {
        // The same amount twice: seeing the same difference again does not make it a gain.
        if (paid++ < 2) await fixture.pay(address, '5');
        return network.account(address);
      },
    },
    settled: waitUntilSettled(reads),
  });
  const call = await openLedgerApi(t, fixture, balances);
  const { body } = await call(`POST /users/${owner.userId}/balance/sync`);
  assert.deepEqual([body.data.discrepancyDetected, body.data.currentBalance.available], [false, '20.00']);
  assert.equal(await fixture.pollAll(), 0);
  assert.equal(await fixture.books(`wallet:${owner.address}:USD`), '20.0000000');
});

test('what was compared with other books than there are now is not booked', async () => {
  const { fixture, owner } = await openFunded();
  const { userId } = owner;
  await spendBehindTheBooks(fixture.ledger, { from: owner, amount: '1' });
  const ask = { marketplaceId: 'mkt_default', userId, currency: 'USD' } as const;
  const observation = await fixture.balances.observe(ask);
  await fixture.pay(owner.address, '4');
  await fixture.pollAll();
  const before = await everyRow(fixture.pool);
  await assert.rejects(
    fixture.run(syncBalance, { userId, currency: 'USD', observation }),
    (error) => isDomainError(error) && (error as DomainError).code === 'SERVICE_UNAVAILABLE',
  );
  assert.deepEqual(await everyRow(fixture.pool), before);
});

test('one wrong answer of the ledger takes nothing from anybody', async () => {
  const { fixture, owner, sync } = await openFunded();
  // The first strike meets the page of payments, which is empty; the second the account.
  fixture.sandbox.faults.arm({ operation: 'account', fault: 'wrong-amount', count: 2, match: owner.address });
  const { body } = await sync();
  assert.deepEqual(fixture.sandbox.faults.list(), [], 'the ledger has lied');
  assert.deepEqual([body.data.discrepancyDetected, body.data.currentBalance.available], [false, '10.00']);
});

test('404 USER_NOT_FOUND for an unknown id, and for a user of another marketplace', async () => {
  const { owner, call } = await openFunded();
  for (const [userId, key] of [
    ['usr_01ARZ3NDEKTSV4RRFFQ69G5FAV', '*'],
    [owner.userId, '*@mkt_other'],
  ] as const) {
    const { status, body } = await call(`POST /users/${userId}/balance/sync`, { key });
    assert.deepEqual([status, body.error.code], [404, 'USER_NOT_FOUND']);
  }
});

test('409 INVALID_STATE while a transaction of the wallet is pending, from any of our senders', async () => {
  const { fixture, owner, sync } = await openFunded();
  const { treasury, ledger, keep } = fixture;
  const { address } = owner;
  await fixture.pay(treasury.address, '100');
  await fixture.pollAll();
  const { send, settle } = await keep({
    by: treasury,
    operations: [Operation.payment({ destination: address, asset: ledger.usdc, amount: '40' })],
    actions: [{ type: 'pay', to: address, asset: 'USDC', currency: 'USD', units: '400000000', paymentId: null }],
  });
  for (const step of [async () => {}, send]) {
    await step();
    const before = await everyRow(fixture.pool);
    const { status, body } = await sync();
    assert.deepEqual([status, body.error.code], [409, 'INVALID_STATE']);
    assert.equal(body.error.details.currentState, 'TRANSACTION_IN_FLIGHT');
    assert.deepEqual(await everyRow(fixture.pool), before);
  }
  const waiting = sync();
  await settle();
  const { body } = await waiting;
  assert.deepEqual([body.data.discrepancyDetected, body.data.currentBalance.available], [false, '10.00']);
});

test('409 INVALID_STATE for a difference after a rejected transaction; 200 while there is none, and nothing is booked', async () => {
  const { fixture, owner, sync } = await openFunded();
  const { issuer, usdc } = fixture.ledger;
  const { reject, send, settle, transaction } = await fixture.keep({
    by: owner,
    operations: [Operation.payment({ destination: issuer, asset: usdc, amount: '4' })],
    actions: [{ type: 'pay', to: issuer, asset: 'USDC', currency: 'USD', units: '40000000', paymentId: null }],
  });
  await reject();
  const unmoved = await sync();
  assert.deepEqual([unmoved.status, unmoved.body.data?.adjustment], [200, null]);
  assert.equal(unmoved.body.data.currentBalance.available, '10.00');

  await send();
  for (const query of ['', '?currency=XLM']) {
    const before = await everyRow(fixture.pool);
    const { status, body } = await sync(query);
    assert.deepEqual([status, body.error?.code], [409, 'INVALID_STATE']);
    assert.equal(body.error.details.currentState, 'TRANSACTION_IN_FLIGHT');
    assert.ok(body.error.message.includes(`may include it until ${transaction.validUntil.slice(0, 19)}Z`));
    assert.deepEqual(await everyRow(fixture.pool), before);
  }
  await settle();
  assert.deepEqual(
    [(await sync()).body.data.adjustment, (await sync('?currency=XLM')).body.data.adjustment],
    [null, null],
  );
});

test('409 INVALID_STATE while the ledger has a payment of the wallet that nothing explains, and an operator decides on it', async () => {
  const { fixture, owner, call, sync } = await openFunded();
  const { ledger, run } = fixture;
  const operations = [Operation.payment({ destination: ledger.issuer, asset: ledger.usdc, amount: '4' })];
  const stolen = await write(ledger, { by: owner.key, operations });
  await ledger.horizon.submitTransaction(stolen, { skipMemoRequiredCheck: true });
  const { status, body } = await sync();
  assert.deepEqual([status, body.error.code], [409, 'INVALID_STATE']);
  assert.equal(body.error.details.currentState, 'WALLET_HELD');
  assert.equal(await fixture.books(`${owner.userId}:available:USD`), '10.0000000');
  await run(releasePayments, { id: owner.id });
  const after = await sync();
  assert.deepEqual([after.body.data.discrepancyDetected, after.body.data.adjustment], [false, null]);
  assert.equal(await fixture.books(`${owner.userId}:available:USD`), '10.0000000', 'the loss is that of the operator');
  assert.equal(await fixture.books(`wallet:${owner.address}:USD`), '6.0000000');
  await checkProof(call);
});

test('504 PROVIDER_TIMEOUT when the ledger cannot be asked or read, and nothing is changed', async () => {
  const { fixture, owner, sync } = await openFunded();
  await spendBehindTheBooks(fixture.ledger, { from: owner, amount: '1' });
  const before = await everyRow(fixture.pool);
  for (const fault of ['outage', 'refusal', 'timeout']) {
    fixture.sandbox.faults.arm({ operation: 'account', fault, count: 1, delayMs: 50 });
    const { status, body } = await sync();
    assert.deepEqual([status, body.error.code], [504, 'PROVIDER_TIMEOUT'], fault);
    assert.equal(body.error.details.provider, 'ledger-network');
    assert.deepEqual(await everyRow(fixture.pool), before);
  }
});
