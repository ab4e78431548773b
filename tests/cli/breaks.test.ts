// Breaks, operations and jobs from the command line.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedOrders } from '../support/order-fixture.ts';
import { openTool } from './tool.ts';

test('breaks, operations and jobs are listed and shown', { timeout: 300_000 }, async (t) => {
  const fixture = await openSharedOrders(t);
  const { app } = fixture;
  const tool = await openTool(t, { url: app.url, key: await app.key(['*']) });
  const order = await fixture.anOrder({ at: 'FUNDS_RESERVED' });
  t.after(() => fixture.simulator('DELETE /faults'));
  await fixture.fault('deploy', 'outage', { count: 50, match: order.id });
  await app.call(`POST /orders/${order.id}/escrow`);

  const listed = await tool.run(['operations', 'list', '--state', 'RUNNING', '--ids']);
  const [id] = listed.out.trim().split('\n');
  assert.match(id!, /^opn_/, listed.err);
  const shown = await tool.run(['operations', 'show', id!]);
  assert.match(shown.out, /kind\s+create-escrow/);
  assert.match(shown.out, /problem\s+\S/);
  assert.equal((await tool.run(['operations', 'show', id!, '--json'])).json.orderId, order.id);

  assert.match((await tool.run(['breaks', 'list', '--kind', 'short-funding'])).err, /No breaks/);
  assert.deepEqual((await tool.run(['breaks', 'list', '--json', '--all'])).json.items, []);
  assert.equal((await tool.run(['breaks', 'show', 'nothing'])).code, 2);
  assert.match((await tool.run(['breaks', 'show', 'contract:none'])).err, /There is no such break/);

  assert.match((await tool.run(['jobs', 'list'])).out, /reconcile/);
  assert.equal((await tool.run(['jobs', 'retry', 'none'])).code, 1);
});
