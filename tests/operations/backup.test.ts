// A restored backup has the same books, a folder without a manifest is not accepted as a backup, and other books than those of
// the backup are recognised. backup.long.test.ts takes a backup while money moves.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { openPool } from '../../server/src/postgres/connection.ts';
import { findRestored } from '../../server/src/postgres/restored.ts';
import { readManifest, restoreBackup, takeBackup } from '../../server/src/programs/backup/backup.ts';
import { compareHead, readHeads } from '../../server/src/programs/backup/heads.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { MASTER_KEY } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { failingIn, openBooks } from './restored-books.ts';

test('a backup needs an empty folder and its manifest, and the restored books are proved with the keys that seal its wallets', async (t) => {
  const { dataDir } = await openBooks(t);
  const to = path.join(await temporaryFolder(t), 'backup');
  const manifest = await takeBackup(dataDir, to);
  assert.deepEqual(manifest, await readManifest(to));
  assert.deepEqual(manifest.files, ['secrets.json']);
  assert.equal(manifest.heads[0]?.marketplaceId, 'mkt_default');
  await assert.rejects(takeBackup(dataDir, to), /not empty/);
  await assert.rejects(restoreBackup(to, dataDir), /not empty/);
  await assert.rejects(restoreBackup(dataDir, await temporaryFolder(t)), /not a backup/);
  assert.doesNotMatch(await readFile(path.join(to, 'manifest.json'), 'utf8'), new RegExp(MASTER_KEY));

  const restored = await temporaryFolder(t);
  assert.deepEqual(await restoreBackup(to, restored), manifest);
  assert.equal(await readFile(path.join(restored, 'secrets.json'), 'utf8'), '{}');
  // The first start of a server on it begins with a hold of payments.
  assert.deepEqual(await findRestored(restored), { takenAt: manifest.takenAt });
  const failing = await failingIn(t, { dataDir: restored, manifest });
  assert.deepEqual(await failing([{ version: 1, key: Buffer.alloc(32, 7) }]), []);
  assert.deepEqual(await failing([{ version: 1, key: randomBytes(32) }]), [
    'every wallet opens with the restored WALLET_KEK',
  ]);
});

test('books that are shorter than the backup, have another history or other balances are recognised', async (t) => {
  const app = await openApp(t);
  await app.aUser({ available: '1.00' });
  const pool = openPool(app.connection, { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  const client = await pool.connect();
  afterwards(t, () => client.release());
  const head = (await readHeads(client)).find(({ marketplaceId }) => marketplaceId === app.marketplaceId);
  assert.equal((await compareHead(client, head!)).holds, true);
  await app.aUser({ available: '2.00' });
  assert.match((await compareHead(client, head!)).detail, /later events$/);
  const sums = head!.sums.map((each) => ({ ...each, sum: `${each.sum}1` }));
  for (const wrong of [
    { ...head!, eventPosition: '1000' },
    { ...head!, auditHash: 'another' },
    { ...head!, marketplaceId: 'mkt_elsewhere' },
    { ...head!, sums },
  ]) {
    assert.equal((await compareHead(client, wrong)).holds, false, JSON.stringify(wrong));
  }
});
