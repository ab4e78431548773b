// A restored backup has the same books, a folder without a manifest is not accepted as a backup, and other books than those of
// the backup are recognised. backup.long.test.ts takes a backup while money moves.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { migrate } from '../../server/src/commit/migrate.ts';
import { keepKeks } from '../../server/src/ledger/keys/key-ring.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { startEmbeddedPostgres } from '../../server/src/postgres/embedded.ts';
import { findRestored } from '../../server/src/postgres/restored.ts';
import { archivesIn } from '../../server/src/programs/backup/archives.ts';
import {
  type Manifest,
  readManifest,
  restoreBackup,
  takeBackup,
  takeUnlessInterrupted,
} from '../../server/src/programs/backup/backup.ts';
import { compareHead, readHeads } from '../../server/src/programs/backup/heads.ts';
import { proveRestored } from '../../server/src/programs/backup/proof.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { openLiveArchiver } from '../archives/live-fixture.ts';
import { MASTER_KEY, startApp, type TestApp } from '../support/app.ts';
import { preparedFolder } from '../support/prepared-cluster.ts';
import { openApp } from '../support/shared-app.ts';

type Keks = Parameters<typeof keepKeks>[0];

/** Creates a data folder with a running PostgreSQL and one user with a balance. */
const openBooks = async (t: TestContext): Promise<{ dataDir: string; app: TestApp }> => {
  const dataDir = await preparedFolder(t);
  const postgres = await startEmbeddedPostgres({ dataDir, log() {}, settings: { shared_buffers: '16MB' } });
  afterwards(t, () => postgres.stop());
  const pool = openPool(postgres.connection, { max: 2, onError() {} });
  afterwards(t, () => pool.end());
  await migrate({ pool });
  const app = await startApp(t, { connection: postgres.connection });
  await app.aUser({ available: '12.34' });
  await writeFile(path.join(dataDir, 'secrets.json'), '{}');
  return { dataDir, app };
};

/** Starts PostgreSQL in the restored folder. The returned function lists the promises that do not hold for its books. */
const failingIn = async (t: TestContext, of: { dataDir: string; manifest: Manifest }) => {
  const { dataDir, manifest } = of;
  const postgres = await startEmbeddedPostgres({ dataDir, log() {}, settings: { shared_buffers: '16MB' } });
  afterwards(t, () => postgres.stop());
  const pool = openPool(postgres.connection, { max: 2, onError() {} });
  afterwards(t, () => pool.end());
  return async (walletKeks: Keks): Promise<string[]> =>
    (await proveRestored(pool, { manifest, keeper: keepKeks(walletKeks), archiveDir: archivesIn(dataDir) }))
      .filter(({ holds }) => !holds)
      .map(({ promise }) => promise);
};

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

test('a backup has the archives that its database needs, and a restore without one of them is found', async (t) => {
  const { dataDir, app } = await openBooks(t);
  const live = await openLiveArchiver(t, { app, dir: archivesIn(dataDir) });
  const { id, manifestHash } = (await live.archive('2026-01'))!;
  const needed = { marketplaceId: app.marketplaceId, id, manifestHash };
  await mkdir(`${live.folderOf('2026-02')}.unfinished`);
  const folder = await temporaryFolder(t);
  const to = path.join(folder, 'backup');
  const manifest = await takeBackup(dataDir, to);
  assert.deepEqual(manifest.archives, [{ ...needed, isCopied: true }]);
  assert.deepEqual(await readdir(path.join(archivesIn(to), app.marketplaceId)), ['2026-01']);
  const bare = path.join(folder, 'bare');
  const { archives } = await takeUnlessInterrupted({ dataDir, to: bare, archiveDir: null });
  assert.deepEqual(archives, [{ ...needed, isCopied: false }]);

  const restored = await temporaryFolder(t);
  await restoreBackup(to, restored);
  const failing = await failingIn(t, { dataDir: restored, manifest });
  const keks = [{ version: 1, key: Buffer.alloc(32, 7) }];
  assert.deepEqual(await failing(keks), []);
  await rename(path.join(archivesIn(restored), app.marketplaceId), path.join(restored, 'elsewhere'));
  assert.deepEqual(await failing(keks), ['every archive is there and holds']);
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
