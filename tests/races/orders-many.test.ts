// Two hundred orders of one buyer at once: one wallet signs for all of them, the treasury covers what it lacks, and in the
// end every cent is where it belongs, in the books and on the ledger.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOrders } from '../orders/order-stand.ts';

const ORDERS = 200;

// Everybody waits for one wallet, and on a busy machine that takes its time.
const PATIENCE_MS = 300_000;
const env = { OPERATION_WAIT_MS: String(PATIENCE_MS) };

const units = (amount: number): string => `${amount}0000000`;

test('200 orders of one buyer at once are funded, then half released and half refunded, to the cent (defects 1, 13)', {
  timeout: PATIENCE_MS,
}, async (t) => {
  const stand = await openOrders(t, { env });
  const { app, expect } = stand;
  // What is left over belongs to nobody's order, and stays.
  const who = await stand.people('20500.00');
  const all = <T>(each: (n: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: ORDERS }, (_, n) => each(n)));

  const ids = await all(async () => (await stand.reserved(who, { amount: '100.00' })).id as string);
  assert.deepEqual(await stand.balance(who.buyer), { available: '500.00', reserved: '20000.00' });
  await all((n) => expect(`POST /orders/${ids[n]}/escrow`, { status: 201 }));
  await all((n) => expect(`POST /orders/${ids[n]}/escrow/fund`, { status: 201 }));
  assert.deepEqual(await stand.balance(who.buyer), { available: '500.00', reserved: '0.00' });
  const contracts = (await stand.twin('GET /state')).contracts as { engagementId: string; balance: number }[];
  assert.deepEqual(new Set(contracts.map(({ engagementId }) => engagementId)), new Set(ids));
  assert.deepEqual(
    contracts.map(({ balance }) => balance),
    ids.map(() => 100),
  );
  const [paid] = await app.sql(
    `select sum(p.amount)::text as units from treasury_payments p
     join wallets w on w.marketplace_id = p.marketplace_id and w.id = p.wallet_id
     where w.user_id = $1 and p.currency = 'USD' and p.state = 'DONE'`,
    [who.buyer],
  );
  // A look at the wallet that crosses a payment out of it may cover that once more; the rest stays for the next order.
  assert.ok(BigInt(paid.units) >= BigInt(units(20_000)), 'the treasury pays what the wallet lacks');
  await stand.assertSound();

  const body = { reason: 'one by one' };
  const verbOf = (n: number): string => (n % 2 === 0 ? 'release' : 'refund');
  await all((n) => expect(`POST /orders/${ids[n]}/resolution/${verbOf(n)}`, { body, status: 200 }));
  assert.deepEqual(await stand.balance(who.buyer), { available: '10500.00', reserved: '0.00' });
  assert.deepEqual(await stand.balance(who.seller), { available: '9500.00', reserved: '0.00' });
  const kept = await app.sql(
    `select id, abs(sum(balance))::text as units from accounts
     where id in ('platform:fees:USD', 'network:fees:USD') group by id order by id`,
  );
  // The seller's fee of 5 % is income; the protocol's 0.3 % of every payout is a cost.
  assert.deepEqual(kept, [
    { id: 'network:fees:USD', units: units(60) },
    { id: 'platform:fees:USD', units: units(500) },
  ]);
  const counts = await app.sql(
    `select event_type as type, count(*)::int as n from events
     where event_type in ('order.released', 'order.refunded', 'order.closed', 'escrow.funded') group by 1 order by 1`,
  );
  assert.deepEqual(
    counts.map(({ type, n }) => [type, n]),
    [
      ['escrow.funded', ORDERS],
      ['order.closed', ORDERS],
      ['order.refunded', ORDERS / 2],
      ['order.released', ORDERS / 2],
    ],
  );
  await stand.assertSound();
});
