// POST /webhooks/escrow-provider without a signature, many times: the hints of all senders to all servers share one budget, and a hint
// beyond it costs neither a request to the provider nor a row. Signed events are not counted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHintBudget, shareHintBudget } from '../../server/src/modules/webhooks/hint-budget.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { startSecondServer } from '../races/order-requests.ts';
import type { TestApp } from '../support/app.ts';
import { openWebhooks, type WebhookFixture } from './webhook-escrow-fixture.ts';

/** How many requests the armed fault has met. */
const metBy = async ({ simulator }: WebhookFixture, { id, count }: { id: string; count: number }): Promise<number> => {
  const { faults } = await simulator('GET /faults');
  return count - (faults.find((fault: { id: string }) => fault.id === id)?.count ?? 0);
};

const ignoredBy = async ({ url }: TestApp): Promise<number> => {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/webhooks_total\{provider="escrow-provider",outcome="ignored"\} (\d+)/.exec(metrics)?.[1]);
};

test('hints beyond HINTS_PER_MINUTE are answered and cost nothing, and signed events are taken as ever', async (t) => {
  const env = { HINTS_PER_MINUTE: '3' };
  const fixture = await openWebhooks(t, env);
  const servers = [fixture.app, await startSecondServer(t, { ...fixture, env })];
  const who = await fixture.parties();
  const order = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
  const data = { contract_id: order.escrow.providerContractId };
  const fault = await fixture.fault('get-escrow', 'refusal', { match: data.contract_id, count: 10_000 });
  const flood = Array.from({ length: 40 }, async (_, n) => {
    const body = { type: 'escrow.funded', event_id: `flood-${n}`, data };
    return (await servers[n % 2]!.call('POST /webhooks/escrow-provider', { key: null, body })).text;
  });
  assert.deepEqual(new Set(await Promise.all(flood)), new Set(['{"status":"ok","processed":false}']));
  assert.equal(await metBy(fixture, fault), 3, 'of both servers together');
  assert.deepEqual(await fixture.app.sql('select id from webhook_events'), []);
  await fixture.simulator('DELETE /faults');

  const hash = await fixture.payIn(order);
  assert.equal(await fixture.deliver({ type: 'escrow.funded', data, signed: false }), false, 'the budget is used up');
  assert.equal((await fixture.get(order.id)).status, 'ESCROW_FUNDING');
  const signed = { type: 'escrow.funded', data: { ...data, transaction_hash: hash } };
  assert.equal(await fixture.deliver(signed), true);
  assert.equal((await fixture.get(order.id)).status, 'IN_PROGRESS');
  assert.equal((await ignoredBy(servers[0]!)) + (await ignoredBy(servers[1]!)), 38);
});

test('hints that match no order count too: they cost a query', async (t) => {
  const fixture = await openWebhooks(t, { HINTS_PER_MINUTE: '1' });
  const order = await fixture.anOrder({ at: 'IN_PROGRESS' });
  const data = { order_id: order.id };
  const nothing = { order_id: 'ord_01ARZ3NDEKTSV4RRFFQ69G5FAV' };
  assert.equal(await fixture.deliver({ type: 'escrow.funded', data: nothing, signed: false }), false);
  assert.equal(await fixture.deliver({ type: 'escrow.funded', data, signed: false }), false);
});

test('the budget is that of the last minute, and 0 takes no hint at all', () => {
  let time = 0;
  const take = createHintBudget(2, () => time);
  assert.deepEqual([take(), take(), take()], [true, true, false]);
  time = 59_999;
  assert.equal(take(), false);
  time = 60_000;
  assert.deepEqual([take(), take(), take()], [true, true, false]);
  assert.equal(createHintBudget(0, () => time)(), false);
});

test('the minute of all servers ends, and a hint that cannot be counted is dropped', async (t) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const pool = openPool(connection, { max: 4, onError() {} });
  const troubles: string[] = [];
  const sharing = { perMinute: 2, mayAsk: () => true, onTrouble: (message: string) => void troubles.push(message) };
  const budgets = [shareHintBudget(pool, sharing), shareHintBudget(pool, sharing)];
  const takeTen = async (): Promise<number> => {
    const taken = await Promise.all(Array.from({ length: 10 }, (_, n) => budgets[n % 2]!()));
    return taken.filter(Boolean).length;
  };
  assert.deepEqual([await takeTen(), await takeTen()], [2, 0]);
  for (const end of ['now()', "now() + interval '1 hour'"]) {
    await pool.query(`update hint_counts set ends_at = ${end}`);
    assert.deepEqual([await takeTen(), await takeTen()], [2, 0], end);
  }
  await pool.end();
  assert.deepEqual([await takeTen(), troubles.length], [0, 10]);
});
