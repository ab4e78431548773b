// Many orders of one buyer at once. One wallet signs for all of them, the treasury funds what the wallet lacks, and at the end the
// books and the ledger agree to the cent.

import assert from 'node:assert/strict';
import type { Parties } from '../support/builder.ts';
import type { OrderFixture } from '../support/order-fixture.ts';

type Funded = { readonly who: Parties; readonly ids: readonly string[] };

/** In 10^-7. */
const units = (amount: number): string => `${amount}0000000`;

const all = <T>(count: number, each: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => each(n)));

/** Funds `count` orders of 100.00. The buyer has 500.00 more, which belong to no order and stay available. */
export const fundAtOnce = async (fixture: OrderFixture, count: number): Promise<Funded> => {
  const { app, expect } = fixture;
  const who = await fixture.parties(`${count * 100 + 500}.00`);
  for (const userId of [who.buyer, who.seller]) await fixture.addressOf(userId);
  const ids = await all(
    count,
    async () => (await fixture.anOrder({ at: 'FUNDS_RESERVED', between: who, amount: '100.00' })).id as string,
  );
  assert.deepEqual(await fixture.balance(who.buyer), { available: '500.00', reserved: `${count * 100}.00` });
  await all(count, (n) => expect(`POST /orders/${ids[n]}/escrow`, { status: 201 }));
  await all(count, (n) => expect(`POST /orders/${ids[n]}/escrow/fund`, { status: 201 }));
  assert.deepEqual(await fixture.balance(who.buyer), { available: '500.00', reserved: '0.00' });
  const contracts = (await fixture.simulator('GET /state')).contracts as { engagementId: string; balance: number }[];
  const own = contracts.filter(({ engagementId }) => ids.includes(engagementId));
  assert.deepEqual(
    new Map(own.map(({ engagementId, balance }) => [engagementId, balance])),
    new Map(ids.map((id) => [id, 100])),
  );
  assert.equal(own.length, count, 'each order has one contract');
  const [paid] = await app.sql(
    `select sum(p.amount)::text as units from treasury_payments p
     join wallets w on w.marketplace_id = p.marketplace_id and w.id = p.wallet_id
     where w.user_id = $1 and p.currency = 'USD' and p.state = 'DONE'`,
    [who.buyer],
  );
  // A balance that is read during a payment out of the wallet may fund that payment twice; the surplus stays for the next order.
  assert.ok(BigInt(paid.units) >= BigInt(units(count * 100)), 'the treasury funds what the wallet lacks');
  await fixture.assertSound();
  return { who, ids };
};

/** Releases every other order and refunds the rest. Returns the number of events by kind. */
export const settleAtOnce = async (fixture: OrderFixture, { who, ids }: Funded): Promise<Record<string, number>> => {
  const body = { reason: 'one by one' };
  const count = ids.length;
  const verbOf = (n: number): string => (n % 2 === 0 ? 'release' : 'refund');
  await all(count, (n) => fixture.expect(`POST /orders/${ids[n]}/resolution/${verbOf(n)}`, { body, status: 200 }));
  assert.deepEqual(await fixture.balance(who.buyer), { available: `${count * 50 + 500}.00`, reserved: '0.00' });
  assert.deepEqual(await fixture.balance(who.seller), { available: `${(count / 2) * 95}.00`, reserved: '0.00' });
  const kept = await fixture.app.sql(
    `select id, abs(sum(balance))::text as units from accounts
     where id in ('platform:fees:USD', 'network:fees:USD') group by id order by id`,
  );
  // The seller's fee of 5 % is income; the protocol's 0.3 % of every payout is a cost.
  assert.deepEqual(kept, [
    { id: 'network:fees:USD', units: String(count * 3_000_000) },
    { id: 'platform:fees:USD', units: String((count / 2) * 50_000_000) },
  ]);
  const counts = await fixture.app.sql(
    `select event_type as type, count(*)::int as n from events
     where event_type in ('order.released', 'order.refunded', 'order.closed', 'escrow.funded') group by 1`,
  );
  await fixture.assertSound();
  return Object.fromEntries(counts.map(({ type, n }) => [type, n]));
};
