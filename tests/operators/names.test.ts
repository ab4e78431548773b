// What an operator or a key does is shown with its name, in the audit trail and in the timeline of an order, also after the operator was
// deleted or the key revoked.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MASTER_KEY } from '../support/app.ts';
import { anOperator } from '../support/operator-fixture.ts';
import { openApp } from '../support/shared-app.ts';

type Entry = { kind: string; title: string; details: Record<string, unknown> };

test('the timeline of an order and the audit trail name the operator and the key, also after both have gone', async (t) => {
  const app = await openApp(t);
  const { marketplaceId } = app;
  const operator = await anOperator(app, { role: 'support', name: 'Grace Hopper', marketplaceId });
  const buyerId = await app.aUser({ available: '50.00' });
  const sellerId = await app.aUser();
  const made = await operator.call('POST /orders', { body: { buyerId, sellerId, amount: '20.00' } });
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.data.data;
  const created = await app.call('POST /auth/api-keys', {
    key: MASTER_KEY,
    headers: { 'x-marketplace-id': marketplaceId },
    body: { name: 'back office', scopes: ['read', 'write'] },
  });
  assert.equal(created.status, 201, created.text);
  const { key, id: keyId } = created.body.data;
  assert.equal((await app.call(`POST /orders/${id}/reserve`, { key })).status, 201);

  const whoDid = async (title: string): Promise<unknown[]> => {
    const { body } = await app.call(`GET /orders/${id}/timeline`);
    const { entries } = body.data.data as { entries: Entry[] };
    const { details } = entries.find((entry) => entry.kind === 'audit' && entry.title === title)!;
    return [details.actorType, details.actorName];
  };
  assert.deepEqual(await whoDid('ORDER_CREATED'), ['operator', 'Grace Hopper']);
  assert.deepEqual(await whoDid('ORDER_FUNDS_RESERVED'), ['api_key', 'back office']);
  const deleted = await app.call(`DELETE /operators/${operator.id}`, {
    key: MASTER_KEY,
    headers: { 'x-marketplace-id': marketplaceId },
  });
  assert.equal(deleted.status, 200, deleted.text);
  const revoked = await app.call(`DELETE /auth/api-keys/${keyId}`, {
    key: MASTER_KEY,
    headers: { 'x-marketplace-id': marketplaceId },
  });
  assert.equal(revoked.status, 200, revoked.text);
  assert.deepEqual(await whoDid('ORDER_CREATED'), ['operator', 'Grace Hopper']);
  assert.deepEqual(await whoDid('ORDER_FUNDS_RESERVED'), ['api_key', 'back office']);
  const { body } = await app.call(`GET /audit/logs?resourceId=${id}`);
  const named = body.data.data.map(({ actorName }: { actorName?: string }) => actorName);
  assert.deepEqual(new Set(named), new Set(['Grace Hopper', 'back office']));
});
