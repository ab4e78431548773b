// The judgement of hints: a hint that changed nothing may leave neither a row nor an audit entry, one that changed an order leaves both.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { judgeAttacks } from '../../tools/simulation/attackers/attackers.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';

const row = (id: string, of: { state: string; signed: boolean }): string =>
  `insert into webhook_events (marketplace_id, id, version, provider, type, state, signed, attempts, created_at, updated_at)
    values ('mkt_a', '${id}', 1, 'escrow-provider', 'escrow.funded', '${of.state}', ${of.signed}, 1, now(), now())`;

let entries = 0;

const entry = (resourceType: string, resourceId: string, of: { request: string; after: object }): string =>
  `insert into audit_entries (marketplace_id, seq, occurred_at, action, resource_type, resource_id, payload_after, actor_type, actor_id,
      result, correlation_id, hash)
    values ('mkt_a', ${++entries}, now(), 'ACTION', '${resourceType}', '${resourceId}', '${JSON.stringify(of.after)}', 'system',
      'escrow-provider', 'SUCCESS', '${of.request}', 'hash')`;

test('a hint without a change is found by its row and by its audit entry, and one with a change is not', async (t) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const client = new pg.Client(connection);
  await client.connect();
  afterwards(t, () => client.end());
  const violations = async (): Promise<string[]> => {
    const found: string[] = [];
    const sql = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;
    await judgeAttacks({ sql, journal: { violate: (what: string) => void found.push(what) } });
    return found;
  };
  const left = (rows: number, audited: number): string[] => [
    `hint flood: hints that changed nothing left ${rows} rows and ${audited} audit entries`,
  ];

  await client.query(row('changing', { state: 'PROCESSED', signed: false }));
  await client.query(entry('WebhookEvent', 'changing', { request: 'one', after: { signed: false } }));
  await client.query(entry('Order', 'ord_1', { request: 'one', after: {} }));
  await client.query(row('signed', { state: 'FAILED', signed: true }));
  await client.query(entry('WebhookEvent', 'signed', { request: 'two', after: { signed: true } }));
  assert.deepEqual(await violations(), []);

  await client.query(entry('WebhookEvent', 'only audited', { request: 'three', after: { signed: false } }));
  assert.deepEqual(await violations(), left(0, 1));
  await client.query(row('only audited', { state: 'PROCESSED', signed: false }));
  assert.deepEqual(await violations(), left(1, 1));
  await client.query(row('failed', { state: 'FAILED', signed: false }));
  assert.deepEqual(await violations(), left(2, 1));
});
