// `npm run backup -- --record` notes that a backup was taken with other tools, so that the alert about a late backup ends.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { findLastBackup } from '../../server/src/modules/alerts/backup-times.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { urlOf } from '../../tools/cluster/database.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { openChecker } from '../alerts/fixture.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../../server/src/programs/take-backup.ts');

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

const recordWith = (databaseUrl: string): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl };
    execFile(process.execPath, [SCRIPT, '--record'], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });

const openDatabase = async (t: TestContext) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const pool = openPool(connection, { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  return { connection, pool };
};

test('--record stores the time, also again, and ends the alert about a late backup', async (t) => {
  const { connection, pool } = await openDatabase(t);
  const { check } = await openChecker(t, { app: { connection }, env: { BACKUP_MAX_AGE_H: '1' } });
  const openAlerts = async () =>
    (await pool.query("select subject from alerts where kind = 'BACKUP_LATE' and closed_at is null")).rows;
  assert.equal(await findLastBackup(pool), null);
  await check();
  assert.deepEqual(await openAlerts(), [{ subject: 'backup' }], 'no backup was recorded');
  let earlier = '';
  for (let time = 0; time < 2; time++) {
    const { code, stdout, stderr } = await recordWith(urlOf(connection));
    assert.deepEqual([code, stderr], [0, ''], stderr);
    const [, printed] = /^A backup of (\S+) was recorded\.\n$/.exec(stdout)!;
    const stored = (await findLastBackup(pool))!;
    assert.equal(Date.parse(stored), Date.parse(printed!));
    assert.ok(stored > earlier, 'each record is newer');
    earlier = stored;
  }
  await check();
  assert.deepEqual(await openAlerts(), []);
});

test('exits with 1 and the reason when the database does not answer', async () => {
  const { code, stdout, stderr } = await recordWith('postgres://backup@127.0.0.1:1/nothing');
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /ECONNREFUSED/);
});
