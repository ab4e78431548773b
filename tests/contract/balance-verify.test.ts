// GET /users/{userId}/balance/verify: compares the user's address with the books, and changes nothing whatever it finds.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Operation } from '@stellar/stellar-sdk';
import { fromUnits } from '../../server/src/books/money.ts';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { everyRow, openDepositFixture, spendBehindTheBooks } from '../ledger/deposit-fixture.ts';
import { openLedgerApi } from '../ledger/ledger-api.ts';
import { shareInFile } from '../support/share-in-file.ts';

const server = shareInFile(async (t) => {
  const fixture = await openDepositFixture(t as TestContext);
  return { fixture, call: await openLedgerApi(t as TestContext, fixture) };
});

/** A user with ten dollars at the own address and five more that were credited by hand. */
const openFunded = async () => {
  const { fixture, call } = server();
  const owner = await fixture.user();
  await fixture.pay(owner.address, '10.0000001');
  await fixture.pollAll();
  await fixture.run(creditBalance, { userId: owner.userId, currency: 'USD', amount: fromUnits(50_000_000n) });
  const verify = async (query = '') => {
    const before = await everyRow(fixture.pool);
    const answer = await call(`GET /users/${owner.userId}/balance/verify${query}`);
    assert.deepEqual(await everyRow(fixture.pool), before, 'verify writes nothing');
    return answer;
  };
  return { fixture, owner, call, verify };
};

test('200 shows the books, the ledger, and what of the money is not at the own address', async () => {
  const { owner, call, verify } = await openFunded();
  const { status, body } = await verify();
  assert.equal(status, 200);
  assert.deepEqual(body.data, {
    isValid: true,
    offChainBalance: (await call(`GET /users/${owner.userId}/balance`)).body.data,
    onChainBalance: { address: owner.address, balance: '10.0000001', asset: 'USDC' },
    heldInTreasury: '5.0000000',
    difference: '0.0000000',
  });
});

test('200 in the native asset counts what the wallet keeps as its reserve', async () => {
  const { owner, verify } = await openFunded();
  const { body } = await verify('?currency=XLM');
  assert.deepEqual(body.data.onChainBalance, { address: owner.address, balance: '5.0000000', asset: 'XLM' });
  const { isValid, heldInTreasury, difference } = body.data;
  assert.deepEqual([isValid, heldInTreasury, difference], [true, '0.0000000', '0.0000000']);
});

test('200 says by how much the ledger shows less, to the last place', async () => {
  const { fixture, owner, verify } = await openFunded();
  await spendBehindTheBooks(fixture.ledger, { from: owner, amount: '0.0000001' });
  const { body } = await verify();
  assert.deepEqual([body.data.isValid, body.data.difference], [false, '-0.0000001']);
});

test('200 a deposit that is not taken in yet is a difference, and stays one', async () => {
  const { fixture, owner, verify } = await openFunded();
  await fixture.pay(owner.address, '2');
  for (let i = 0; i < 2; i++) {
    const { body } = await verify();
    assert.deepEqual([body.data.isValid, body.data.difference], [false, '2.0000000']);
  }
});

test('200 for a wallet that is not active: no balance is expected on the ledger, and the ledger gets no request', async () => {
  const { fixture, call } = await openFunded();
  const { userId, address } = await fixture.pendingUser();
  fixture.sandbox.faults.arm({ operation: 'account', fault: 'outage', count: 100 });
  const { status, body } = await call(`GET /users/${userId}/balance/verify`);
  assert.equal(status, 200);
  assert.deepEqual([body.data.isValid, body.data.difference], [true, '0.0000000']);
  assert.deepEqual(body.data.onChainBalance, { address, balance: '0.0000000', asset: 'USDC' });
  fixture.sandbox.faults.clear();
});

/** The wallet pays four dollars in a transaction that the ledger rejected. "send" brings it into a ledger after all. */
const payRejected = async ({ fixture, owner }: Awaited<ReturnType<typeof openFunded>>) => {
  const { issuer, usdc } = fixture.ledger;
  const kept = await fixture.keep({
    by: owner,
    operations: [Operation.payment({ destination: issuer, asset: usdc, amount: '4' })],
    actions: [{ type: 'pay', to: issuer, asset: 'USDC', currency: 'USD', units: '40000000', paymentId: null }],
  });
  await kept.reject();
  return kept;
};

test('200 after a rejected transaction, as long as it has moved nothing', async () => {
  const opened = await openFunded();
  await payRejected(opened);
  const { status, body } = await opened.verify();
  assert.deepEqual([status, body.data?.isValid, body.data?.difference], [200, true, '0.0000000']);
});

test('404 USER_NOT_FOUND for an unknown id, and for a user of another marketplace', async () => {
  const { owner, call } = await openFunded();
  for (const [userId, key] of [
    ['unknown', 'read'],
    [owner.userId, 'read@mkt_other'],
  ] as const) {
    const { status, body } = await call(`GET /users/${userId}/balance/verify`, { key });
    assert.deepEqual([status, body.error.code], [404, 'USER_NOT_FOUND']);
  }
});

test('500 VERIFICATION_FAILED when the ledger cannot be asked or read', async () => {
  const { fixture, verify } = await openFunded();
  for (const fault of ['outage', 'refusal', 'timeout']) {
    fixture.sandbox.faults.arm({ operation: 'account', fault, count: 1, delayMs: 50 });
    const { status, body } = await verify();
    assert.deepEqual([status, body.error.code], [500, 'VERIFICATION_FAILED'], fault);
  }
  assert.equal((await verify()).status, 200);
});

test('500 VERIFICATION_FAILED while a transaction of the wallet is in progress', async () => {
  const { fixture, owner, verify } = await openFunded();
  await fixture.keep({
    by: owner,
    operations: [Operation.changeTrust({ asset: fixture.ledger.usdc })],
    actions: [{ type: 'trust', walletId: owner.id }],
  });
  const { status, body } = await verify();
  assert.deepEqual([status, body.error.code], [500, 'VERIFICATION_FAILED']);
  assert.match(body.error.message, /in progress/);
});

test('500 VERIFICATION_FAILED says until when a rejected transaction may be the reason of a difference', async () => {
  const opened = await openFunded();
  const { send, settle, transaction } = await payRejected(opened);
  await send();
  const { status, body } = await opened.verify();
  assert.deepEqual([status, body.error.code], [500, 'VERIFICATION_FAILED']);
  const until = `${transaction.validUntil.slice(0, 19)}Z`;
  assert.ok(body.error.message.includes(`rejected may be the reason: the ledger may include it until ${until}.`));
  await settle();
  assert.equal((await opened.verify()).body.data.isValid, true);
});
