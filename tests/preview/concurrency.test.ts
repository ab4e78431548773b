// Previews beside real requests of the same user change nothing, and more of them than the server runs at once are refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProof } from '../support/checks.ts';
import { openApp } from '../support/shared-app.ts';

const CREDITS = 60;
const PREVIEWS = 200;

test('previews beside credits leave only the credits, and too many at once are 503 with Retry-After', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser({ available: '1.00' });
  const request = `POST /users/${userId}/balance/credit`;
  const send = (headers: Record<string, string>) => app.call(request, { body: { amount: '1.00' }, headers });
  const [previews, credits] = await Promise.all([
    Promise.all(Array.from({ length: PREVIEWS }, () => send({ 'dry-run': 'true' }))),
    Promise.all(Array.from({ length: CREDITS }, () => send({}))),
  ]);
  assert.deepEqual([...new Set(credits.map(({ status }) => status))], [200]);
  for (const { status, headers, body, text } of previews) {
    assert.equal(headers.get('dry-run'), 'true');
    if (status === 503) assert.equal(headers.get('retry-after'), '1', text);
    else {
      const { before, after } = body.data.balances[0];
      // Whatever moment it saw, it shows one more than then.
      assert.equal(Number(after.available) - Number(before.available), 1, text);
    }
  }
  assert.ok(previews.some(({ status }) => status === 200));
  const refused = previews.filter(({ status }) => status === 503);
  assert.ok(refused.length > 0, 'more previews at once than may wait');
  // The refusal of the gate of previews, and no other limit of the server.
  for (const { text } of refused) assert.match(text, /The server runs as many previews as it can/);
  const { body } = await app.call(`GET /users/${userId}/balance`);
  assert.equal(body.data.available, `${CREDITS + 1}.00`);
  await assertProof(app);
});
