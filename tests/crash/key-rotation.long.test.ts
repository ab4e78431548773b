// A rotation of the key-encryption key whose server is killed in the middle: the next server completes it, every secret opens at every
// moment, and each wallet is resealed once. tests/ledger/key-rotation-crash.test.ts has every commit of a rotation, without processes.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import type { Kek } from '../../server/src/ledger/keys/key-keeper.ts';
import { keepKeks } from '../../server/src/ledger/keys/key-ring.ts';
import { keyIdOf, openSecret } from '../../server/src/ledger/keys/seal.ts';
import { urlOf } from '../../tools/cluster/database.ts';
import { httpRequest } from '../../tools/processes/http-request.ts';
import { MASTER_KEY, type ServerProcess, startServer } from '../../tools/processes/server-process.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';

const OLD: Kek = { version: 1, key: randomBytes(32) };
const FRESH: Kek = { version: 2, key: randomBytes(32) };
const MARKETPLACES = ['mkt_default', 'mkt_other'];
const USERS = 3;

/** The statement at which the server is stopped and killed: the change of the key, the reseal of the second marketplace, the end. */
const POINTS = {
  'before the announced key seals': {
    table: 'wallet_keys',
    when: 'new.sealing_key_id is distinct from old.sealing_key_id',
  },
  'after one marketplace was resealed': {
    table: 'wallets',
    when: `new.sealed_secret is distinct from old.sealed_secret and exists (select from wallets w
      where w.marketplace_id <> new.marketplace_id and w.sealed_secret like 'v1.2.%')`,
  },
  'before the rotation is finished': { table: 'wallet_keys', when: 'new.finished_at is not null' },
} as const;

type Point = keyof typeof POINTS;

const textOf = (keks: readonly Kek[]): string =>
  keks.map(({ version, key }) => `${version}:${key.toString('base64')}`).join(',');

const call = async ({ url }: ServerProcess, request: string, more: { marketplaceId?: string; body?: unknown } = {}) => {
  const [method, where] = request.split(' ') as [string, string];
  const { marketplaceId = 'mkt_default', body } = more;
  const { status, text } = await httpRequest(`${url}/api/v1${where}`, {
    method,
    headers: {
      authorization: `Bearer ${MASTER_KEY}`,
      'x-marketplace-id': marketplaceId,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  assert.ok(status < 300, text);
  return JSON.parse(text).data;
};

/** A database that outlives its servers, and a file that their key command prints. */
const openKeys = async (t: TestContext) => {
  const database = await createDatabase();
  afterwards(t, () => database.drop());
  const pool = new pg.Pool({ ...database.connection, max: 3 });
  pool.on('error', () => {});
  afterwards(t, () => pool.end());
  const file = path.join(await temporaryFolder(t), 'keys');
  const env = {
    DATABASE_URL: urlOf(database.connection),
    WALLET_KEK_SOURCE: 'command',
    WALLET_KEK_COMMAND: `/bin/cat ${file}`,
    WALLET_KEY_BEAT_S: '1',
  };
  return {
    pool,
    give: (keks: readonly Kek[]) => writeFile(file, textOf(keks)),
    start: async () => startServer(t, { dataDir: await temporaryFolder(t), env }),
    /** Opens every secret; returns the ids of the keys that sealed them. */
    async openAll(keks: readonly Kek[]): Promise<string[]> {
      const { rows } = await pool.query('select marketplace_id, id, address, sealed_secret from wallets order by id');
      assert.ok(rows.length >= MARKETPLACES.length * USERS);
      for (const { marketplace_id: marketplaceId, id: walletId, address, sealed_secret: sealed } of rows) {
        await openSecret(keepKeks(keks), { sealed, place: { marketplaceId, walletId, address } });
      }
      return [...new Set(rows.map(({ sealed_secret }) => keyIdOf(sealed_secret)))].sort();
    },
  };
};

const STOPPED = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  and wait_event = 'advisory'`;

/** From now on the statement of the point waits, in whichever server. */
const stopAt = async (pool: pg.Pool, point: Point) => {
  const { table, when } = POINTS[point];
  await pool.query(`create or replace function stop_here() returns trigger language plpgsql as $$ begin
      if ${when} then perform pg_advisory_xact_lock_shared(4711); end if; return new; end $$;
    create trigger stop_here before update on ${table} for each row execute function stop_here()`);
  const holder = await pool.connect();
  await holder.query('select pg_advisory_lock(4711)');
  return {
    isReached: async (): Promise<boolean> => ((await pool.query(STOPPED)).rowCount ?? 0) > 0,
    /** `isLost`: the connection of the killed server breaks. Otherwise the commit that it has sent still succeeds. */
    async release({ isLost }: { isLost: boolean }): Promise<void> {
      if (isLost) await pool.query(`select pg_terminate_backend(pid) from (${STOPPED}) stopped`);
      await until(async () => !isLost || !(await this.isReached()), 'the connection is gone');
      await holder.query('select pg_advisory_unlock(4711)');
      holder.release();
      await until(async () => !(await this.isReached()), 'the statement goes on');
      await pool.query(`drop trigger stop_here on ${table}`);
    },
  };
};

for (const point of Object.keys(POINTS) as Point[]) {
  for (const isLost of [true, false]) {
    const how = isLost ? 'its commit is lost' : 'its commit succeeds after the kill';
    test(`a server that is killed ${point}, where ${how}: the next one completes the rotation`, async (t) => {
      const { pool, give, start, openAll } = await openKeys(t);
      await give([OLD]);
      const first = await start();
      for (const marketplaceId of MARKETPLACES) {
        for (let made = 0; made < USERS; made++) {
          await call(first, 'POST /users', { marketplaceId, body: { externalUserId: `u${made}` } });
        }
      }
      assert.deepEqual(await openAll([OLD]), ['1']);
      await give([FRESH, OLD]);
      const stop = await stopAt(pool, point);
      // Never answered where the server stops inside the request.
      const asked = call(first, 'POST /wallet-keys/rotate', { body: { keyId: '2' } }).catch(() => null);
      await until(stop.isReached, 'the server is in the middle');
      await first.kill('SIGKILL');
      await asked;
      await openAll([FRESH, OLD]);
      await stop.release({ isLost });

      const next = await start();
      await until(async () => (await call(next, 'GET /wallet-keys')).finishedAt !== null, {
        what: 'the rotation is completed',
        deadlineMs: 150_000,
      });
      assert.deepEqual(await openAll([FRESH]), ['2'], 'the old key is needed no more');
      const { phase, sealingKeyId, keys } = await call(next, 'GET /wallet-keys');
      assert.deepEqual([phase, sealingKeyId], ['idle', '2']);
      assert.equal(keys.find(({ keyId }: { keyId: string }) => keyId === '1').removable, true);
      const { rows } = await pool.query(
        `select resource_id from audit_entries where action = 'WALLET_KEY_ROTATED' group by 1 having count(*) <> 1`,
      );
      assert.deepEqual(rows, [], 'each wallet was resealed once');
      // A server without the old key starts, and new wallets are sealed with the new one.
      await next.kill('SIGTERM');
      await give([FRESH]);
      const last = await start();
      await call(last, 'POST /users', { body: { externalUserId: 'last' } });
      assert.deepEqual(await openAll([FRESH]), ['2']);
    });
  }
}
