// The check of an audit chain lets other work run between its slices: a read key must not be able to block the event loop.

import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { type TestContext, test } from 'node:test';
import { auditHash } from '../../server/src/commit/audit-hash.ts';
import { createAuditReads } from '../../server/src/modules/audit/queries.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';

const MARKETPLACE = 'mkt_long';
const ENTRIES = 3_000;
const PER_TURN_MAX = 100;

/** Every character that JSON writes in a special way, and some that it does not. */
const PAYLOAD =
  JSON.stringify({
    text: `${Array.from({ length: 0x300 }, (_, code) => (code === 0 ? '' : String.fromCharCode(code))).join('')}\u2028\u2029\ufeff/<>&'"\\💶`,
  }) + '\u0001\u001f\u007f\u0080\u2028\ufeff\t\n"\\/💶';

const entryOf = (seq: number) => ({
  seq: BigInt(seq),
  occurredAt: '2026-11-15T09:30:00.000000Z',
  action: 'BALANCE_CREDITED',
  resourceType: 'Balance',
  resourceId: `usr_${seq}`,
  userId: null,
  payloadBefore: null,
  payloadAfter: PAYLOAD,
  actorType: 'api_key',
  actorId: 'key_1',
  result: 'SUCCESS',
  correlationId: 'req_1',
});

const INSERT = `insert into audit_entries (marketplace_id, seq, occurred_at, action, resource_type, resource_id, payload_after,
    actor_type, actor_id, result, correlation_id, hash)
  select '${MARKETPLACE}', u.seq, '2026-11-15T09:30:00Z', 'BALANCE_CREDITED', 'Balance', 'usr_' || u.seq, $3, 'api_key', 'key_1',
    'SUCCESS', 'req_1', u.hash from unnest($1::bigint[], $2::text[]) u (seq, hash)`;

const openChain = async (t: TestContext) => {
  const database = await createDatabase();
  const pool = openPool(database.connection, { max: 2, onError: () => {} });
  afterwards(t, async () => {
    await pool.end();
    await database.drop();
  });
  const hashes: string[] = [];
  for (let seq = 1; seq <= ENTRIES; seq++) hashes.push(auditHash(hashes.at(-1) ?? '', entryOf(seq)));
  await pool.query(INSERT, [hashes.map((_, i) => i + 1), hashes, PAYLOAD]);
  await pool.query('insert into marketplaces (marketplace_id, audit_seq, audit_hash) values ($1, $2, $3)', [
    MARKETPLACE,
    ENTRIES,
    hashes.at(-1),
  ]);
  return { pool, lastHash: hashes.at(-1)! };
};

/** Counts the hashes that are computed between two turns of the event loop. */
const watchTurns = (t: TestContext) => {
  const { hash } = crypto;
  const watched = { hashes: 0, most: 0 };
  let inTurn = 0;
  let isOver = false;
  const turn = (): void => {
    inTurn = 0;
    if (!isOver) setImmediate(turn);
  };
  crypto.hash = ((...args: Parameters<typeof hash>) => {
    watched.hashes++;
    watched.most = Math.max(watched.most, ++inTurn);
    return hash(...args);
  }) as typeof hash;
  syncBuiltinESMExports();
  setImmediate(turn);
  t.after(() => {
    isOver = true;
    crypto.hash = hash;
    syncBuiltinESMExports();
  });
  return watched;
};

test('the database confirms the hashes of an untouched chain, and the event loop computes none', async (t) => {
  const { pool, lastHash } = await openChain(t);
  const watched = watchTurns(t);
  const report = await createAuditReads(pool).verifyChain(MARKETPLACE);
  assert.deepEqual(report, { holds: true, entries: BigInt(ENTRIES), lastHash, brokenAt: null });
  assert.equal(watched.hashes, 0);
});

test(`no turn of the event loop checks more than ${PER_TURN_MAX} entries of a broken chain`, async (t) => {
  const { pool } = await openChain(t);
  await pool.query('alter table audit_entries disable trigger user');
  await pool.query("update audit_entries set actor_id = 'another' where seq = 2901");
  const watched = watchTurns(t);
  const { holds, entries, brokenAt } = await createAuditReads(pool).verifyChain(MARKETPLACE);
  assert.deepEqual({ holds, entries, brokenAt }, { holds: false, entries: 2_900n, brokenAt: 2_901n });
  assert.equal(watched.hashes, 2_901);
  assert.ok(watched.most <= PER_TURN_MAX, `${watched.most} entries were checked in one turn`);
});
