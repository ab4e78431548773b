// GET /audit/verify, and the tables that can only grow.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditHash } from '../../server/src/commit/audit-hash.ts';
import { MASTER_KEY, type TestApp } from '../support/app.ts';
import { disableTriggers, enableTriggers } from '../support/triggers.ts';
import { shareTamperedServer } from './tampered-server.ts';

const openMarketplace = shareTamperedServer();

const verify = async (app: TestApp) => (await app.call('GET /audit/verify?full=true')).body.data;

/** Changes the entries of this marketplace as only an administrator of the database could. */
const tamper = async ({ sql, marketplaceId }: TestApp, statement: string): Promise<void> => {
  await sql(disableTriggers('audit_entries'));
  await sql(`${statement} and marketplace_id = $1`, [marketplaceId]);
  await sql(enableTriggers('audit_entries'));
};

const withTenEntries = async (app: TestApp): Promise<void> => {
  await app.key(['read']);
  // A user is two entries: its own and its wallet's.
  for (let i = 0; i < 4; i++) await app.aUser();
};

test('200 the chain of an untouched trail holds, from the first entry to the last', async () => {
  const app = await openMarketplace();
  await withTenEntries(app);
  const [last] = (await app.call('GET /audit/logs?limit=1')).body.data.data;
  assert.deepEqual(await verify(app), {
    holds: true,
    entries: 10,
    lastHash: last.hash,
    brokenAt: null,
    checkpoint: null,
    archives: [],
  });
});

test('200 the chain of a marketplace without entries holds', async () => {
  const app = await openMarketplace();
  const answer = await app.call('GET /audit/verify', {
    key: MASTER_KEY,
    headers: { 'x-marketplace-id': `${app.marketplaceId}-empty` },
  });
  assert.deepEqual(answer.body.data, {
    holds: true,
    entries: 0,
    lastHash: '',
    brokenAt: null,
    checkpoint: null,
    archives: [],
  });
});

/** One row after the other, because no two entries may have the same number in between. */
const SWAP = [
  [4, 104],
  [5, 4],
  [104, 5],
].map(([from, to]) => `update audit_entries set seq = ${to} where seq = ${from}`);

const CHANGES: [string, string | string[], number][] = [
  ['a changed payload', `update audit_entries set payload_after = '{}' where seq = 4`, 4],
  ['a changed actor', `update audit_entries set actor_id = 'another' where seq = 5`, 5],
  [
    'a changed time',
    `update audit_entries set occurred_at = (occurred_at at time zone 'UTC' - interval '1 microsecond') at time zone 'UTC' where seq = 3`,
    3,
  ],
  ['a changed user', `update audit_entries set user_id = 'usr_x' where seq = 6`, 6],
  ['a deleted entry', 'delete from audit_entries where seq = 7', 7],
  ['a deleted first entry', 'delete from audit_entries where seq = 1', 1],
  ['a deleted last entry', 'delete from audit_entries where seq = 10', 10],
  ['two swapped entries', SWAP, 4],
  ['a changed hash', `update audit_entries set hash = 'x' where seq = 8`, 8],
];

for (const [change, statement, sequence] of CHANGES) {
  test(`200 names the sequence of the broken entry: ${change}`, async () => {
    const app = await openMarketplace();
    await withTenEntries(app);
    for (const one of [statement].flat()) await tamper(app, one);
    const { holds, brokenAt, entries } = await verify(app);
    assert.deepEqual({ holds, brokenAt, entries }, { holds: false, brokenAt: sequence, entries: sequence - 1 });
  });
}

test('200 a last entry that was replaced together with its hash does not fit the head', async () => {
  const app = await openMarketplace();
  await withTenEntries(app);
  const ninth = 'select hash from audit_entries where seq = 9 and marketplace_id = $1';
  const [previous] = await app.sql(ninth, [app.marketplaceId]);
  const [row] = (await app.call('GET /audit/logs?limit=1')).body.data.data;
  const hash = auditHash(previous.hash, {
    ...row,
    seq: 10n,
    userId: null,
    payloadBefore: null,
    payloadAfter: '{}',
  });
  await tamper(app, `update audit_entries set payload_after = '{}', hash = '${hash}' where seq = 10`);
  const { holds, brokenAt } = await verify(app);
  assert.deepEqual([holds, brokenAt], [false, 10]);
});

test("a break in one marketplace's chain is not another's", async () => {
  const app = await openMarketplace();
  await withTenEntries(app);
  const other = await app.key(['*'], 'mkt_other');
  await tamper(app, `update audit_entries set actor_id = 'x' where seq = 2`);
  assert.equal((await verify(app)).holds, false);
  assert.equal((await app.call('GET /audit/verify', { key: other })).body.data.holds, true);
});

test('audit_entries and postings refuse update, delete and truncate for every role', async () => {
  const app = await openMarketplace();
  await app.aUser({ available: '5.00' });
  for (const [table, column] of [
    ['audit_entries', 'action'],
    ['postings', 'amount'],
  ]) {
    const count = `select count(*)::int as count from ${table}`;
    const before = await app.sql(count);
    for (const statement of [
      `update ${table} set ${column} = ${column}`,
      `delete from ${table}`,
      `truncate ${table}`,
      `truncate ${table} cascade`,
    ]) {
      await assert.rejects(app.sql(statement), { code: 'HF002', message: `${table} is append-only` }, statement);
    }
    assert.deepEqual(await app.sql(count), before);
  }
});
