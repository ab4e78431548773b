// A contract of ours pays in a transaction that the books do not know, as after the restore of a backup. A sync of the receiver waits until the
// transaction is adopted, which books the payment: otherwise the same money would be credited twice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDepositReads } from '../../server/src/ledger/deposits/queries.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { openSharedWebhooks } from '../contract/webhook-escrow-fixture.ts';
import { codeOf } from '../support/app.ts';

const REASON = { reason: 'so it is' };

for (const to of ['seller', 'buyer'] as const) {
  test(`a sync refuses while the ledger shows a payment of a contract to the ${to} whose transaction the books do not know`, async (t) => {
    const fixture = await openSharedWebhooks(t);
    const { app, parties, anOrder, balance, expect, assertSound } = fixture;
    const who = await parties();
    const order = await anOrder({ at: 'IN_PROGRESS', between: who });
    const settlement = `POST /orders/${order.id}/resolution/${to === 'seller' ? 'release' : 'refund'}`;
    // The receiver's own calls are in the books. The call that pays is not.
    await fixture.fault(to === 'seller' ? 'release' : 'resolve', 'refusal', { match: order.id });
    assert.equal(codeOf(await app.call(settlement, { body: REASON })), '500 INTERNAL_ERROR');
    const before = await balance(who[to]);
    if (to === 'seller') await fixture.act(order.id, 'buyer', { kind: 'release' });
    else {
      const { buyer, amount } = await fixture.escrowRow(order.id);
      const shares = [{ address: buyer.address, amount: BigInt(amount) }];
      await fixture.act(order.id, 'platform', { kind: 'resolve', shares });
    }
    const sync = () => app.call(`POST /users/${who[to]}/balance/sync`);
    const refused = await sync();
    assert.equal(codeOf(refused), '409 INVALID_STATE');
    assert.equal(refused.body.error.details.currentState, 'TRANSACTION_IN_FLIGHT');
    assert.deepEqual(await balance(who[to]), before);

    await expect(settlement, { body: REASON, status: 200 });
    const { available } = await balance(who[to]);
    assert.equal(available, to === 'seller' ? '95.00' : '1000.00');
    const synced = (await expect(`POST /users/${who[to]}/balance/sync`, { status: 200 })) as { adjustment: unknown };
    assert.equal(synced.adjustment, null);
    await assertSound();
  });
}

test('a payment of a contract waits for its transaction when the books have it as rejected or expired', async (t) => {
  const { app, anOrder, escrowRow, expect, hashOf } = await openSharedWebhooks(t);
  const { id } = await anOrder({ at: 'IN_PROGRESS' });
  const { provider_contract_id: from, seller } = await escrowRow(id);
  await expect(`POST /orders/${id}/resolution/release`, { status: 200 });
  const transactionHash = await hashOf(id, 'release');
  const pool = openPool(app.connection, { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  const origin = async (hash = transactionHash) => {
    const payment = { id: '1', transactionHash: hash, from, address: seller.address };
    return (await createDepositReads(pool).origins(app.marketplaceId, [payment])).get('1');
  };
  assert.equal(await origin(), 'own');
  assert.equal(await origin('f'.repeat(64)), 'called', 'the ledger is asked whose transaction it is');
  const change = 'update ledger_transactions set state = $2, ending = $3 where id = $1';
  for (const ending of ['rejected', 'expired']) {
    await app.sql(change, [transactionHash, 'FAILED', ending]);
    assert.equal(await origin(), ending);
  }
  await app.sql(change, [transactionHash, 'SUCCEEDED', null]);
  assert.equal(await origin(), 'own');
});
