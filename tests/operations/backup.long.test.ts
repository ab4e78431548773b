// A backup that is taken while money moves, and a backup with archives.

import assert from 'node:assert/strict';
import { mkdir, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { archivesIn } from '../../server/src/programs/backup/archives.ts';
import { restoreBackup, takeBackup, takeUnlessInterrupted } from '../../server/src/programs/backup/backup.ts';
import { backup } from '../../tools/drills/drill-backup.ts';
import { playDrill } from '../../tools/drills/stage.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { openLiveArchiver } from '../archives/live-fixture.ts';
import { failingIn, openBooks } from './restored-books.ts';

test('a backup under load is restored and proved: no credit that was acknowledged before it is missing', async (t) => {
  const findings = await playDrill(backup, { seconds: 0, say: (line) => t.diagnostic(line) });
  assert.ok(findings.length > 10);
  assert.deepEqual(
    findings.filter(({ holds }) => !holds),
    [],
  );
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
