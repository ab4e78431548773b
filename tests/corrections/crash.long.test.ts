// The server is killed before and after each step of a correction. The repeat with the same Idempotency-Key finds it made, or makes it:
// it has its effect once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Point } from '../crash/gate.ts';
import { openEnvironment } from '../crash/order-environment.ts';

const TIMEOUT_MS = 600_000;

test('kill -9 at each step of a correction: the order is canceled once, and the money is back once', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  const environment = await openEnvironment(t);
  await environment.start();
  const place = await environment.makePlace();
  const { key, buyer, seller, marketplaceId } = place;
  await environment.untilRest([place]);
  await environment.expect(`POST /users/${buyer}/balance/credit`, { key, body: { amount: '100.00' } });

  let made = 0;
  const unfunded = async () => {
    const body = { buyerId: buyer, sellerId: seller, amount: '10.00' };
    const { id: resourceId } = await environment.expect('POST /orders', { key, body });
    for (const step of ['reserve', 'escrow']) await environment.expect(`POST /orders/${resourceId}/${step}`, { key });
    const wanted = { kind: 'cancel-unfunded-order', resourceId, reason: 'The buyer has changed plans.' };
    return { key, body: wanted, headers: { 'idempotency-key': `00000000-0000-4000-8000-00000000000${made++}` } };
  };

  const asking = await unfunded();
  const first = environment.gate.begin(marketplaceId, null);
  await environment.expect('POST /corrections', asking);
  environment.gate.end();
  assert.match(first.seen.at(-1) ?? '', /^commit .*ORDER_CANCELED.*CORRECTION_APPLIED/);
  const commits = first.seen.filter((step) => step.startsWith('commit'));
  assert.equal(commits.length, 1, 'one commit is the whole correction');

  for (const when of ['before', 'after'] as const) {
    const asked = await unfunded();
    const before = environment.gate.begin(marketplaceId, null);
    const preview = await environment.expect('POST /corrections', {
      ...asked,
      headers: { 'dry-run': 'true' },
    });
    environment.gate.end();
    assert.equal(preview.reply.after.orderStatus, 'CLOSED');
    assert.ok(
      before.seen.every((step) => step.startsWith('call')),
      'a preview commits nothing',
    );
    const point: Point = { at: before.seen.length, when };
    const turn = environment.gate.begin(marketplaceId, point);
    const killed = environment.ask('POST /corrections', asked);
    await Promise.race([turn.stopped, killed.then((answer) => assert.fail(`not stopped: ${answer?.text}`))]);
    environment.gate.end();
    await environment.kill();
    assert.equal(await killed, null);
    await environment.start();
    const again = await environment.ask('POST /corrections', asked);
    assert.equal(again?.status, 201, String(again?.text));
    const list = await environment.expect(`GET /corrections?resourceId=${asked.body.resourceId}`, { key });
    assert.equal(list.length, 1, when);
    const { available, reserved } = await environment.expect(`GET /users/${buyer}/balance`, { key });
    assert.deepEqual([available, reserved], ['100.00', '0.00'], when);
  }
  assert.equal((await environment.expect('GET /audit/proof', { key })).holds, true);
});
