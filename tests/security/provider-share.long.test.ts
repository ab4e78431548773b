// One marketplace asks for many escrows at once: it cannot consume the whole rate of the escrow provider, so the order of another marketplace
// gets its escrow in the same minute.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSecondServer } from '../races/order-requests.ts';
import { builderOf } from '../support/builder.ts';
import { openOrders } from '../support/order-fixture.ts';

const LIMITS = { ESCROW_PROVIDER_RATE_PER_MINUTE: '16', PROVIDER_TIMEOUT_MS: '2000' };

test('many escrows of one marketplace leave the escrow provider’s rate to the others', async (t) => {
  const fixture = await openOrders(t, { env: { DEPOSIT_POLL_S: '3600' } });
  const app = await startSecondServer(t, { ...fixture, env: LIMITS });
  const greedy = builderOf(app, { key: await app.key(['*'], 'mkt_greedy') });
  const key = await app.key(['*'], 'mkt_other');
  const other = builderOf(app, { key });
  const orders = await Promise.all(Array.from({ length: 16 }, () => greedy.anOrder({ at: 'FUNDS_RESERVED' })));
  const { id } = await other.anOrder({ at: 'FUNDS_RESERVED' });
  const greedyKey = await app.key(['*'], 'mkt_greedy');
  const all = await Promise.all(orders.map((one) => app.call(`POST /orders/${one.id}/escrow`, { key: greedyKey })));
  assert.ok(
    all.some(({ status }) => status === 504),
    'the rate is consumed',
  );
  const answer = await app.call(`POST /orders/${id}/escrow`, { key });
  assert.equal(answer.status, 201, answer.text);
});
