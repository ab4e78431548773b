// A backup that was taken while money moved is the books as they were, and a damaged one is not taken for one.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readManifest, restoreBackup, takeBackup } from '../../scripts/drills/backup.ts';
import { compareHead, readHeads } from '../../scripts/drills/backup-heads.ts';
import { proveRestored } from '../../scripts/drills/backup-proof.ts';
import { backup } from '../../scripts/drills/drill-backup.ts';
import { playDrill } from '../../scripts/drills/stage.ts';
import { startEmbeddedPostgres } from '../../server/src/postgres/embedded.ts';
import { openPool } from '../../server/src/store/connection.ts';
import { migrate } from '../../server/src/store/migrate.ts';
import { afterwards } from '../support/afterwards.ts';
import { MASTER_KEY, startApp } from '../support/app.ts';
import { temporaryFolder } from '../support/folder.ts';

test('a backup under load is restored and proved: nothing that was acknowledged before it is missing', async (t) => {
  const findings = await playDrill(backup, { seconds: 0, say: (line) => t.diagnostic(line) });
  assert.ok(findings.length > 10);
  assert.deepEqual(
    findings.filter(({ holds }) => !holds),
    [],
  );
});

test('a backup needs an empty place, is none without its manifest, and is proved with the keys that seal its wallets', async (t) => {
  const dataDir = await temporaryFolder(t);
  const postgres = await startEmbeddedPostgres({ dataDir, log() {}, settings: { shared_buffers: '16MB' } });
  afterwards(t, () => postgres.stop());
  const pool = openPool(postgres.connection, { max: 2, onError() {} });
  afterwards(t, () => pool.end());
  await migrate({ pool });
  const app = await startApp(t, { connection: postgres.connection });
  await app.user({ available: '12.34' });
  await writeFile(path.join(dataDir, 'secrets.json'), '{}');

  const to = path.join(await temporaryFolder(t), 'backup');
  const manifest = await takeBackup(dataDir, to);
  assert.deepEqual(manifest, await readManifest(to));
  assert.deepEqual(manifest.files, ['secrets.json']);
  assert.equal(manifest.heads[0]?.marketplaceId, 'mkt_default');
  await assert.rejects(takeBackup(dataDir, to), /not empty/);
  await assert.rejects(restoreBackup(to, dataDir), /not empty/);
  await assert.rejects(restoreBackup(dataDir, await temporaryFolder(t)), /no backup/);
  assert.doesNotMatch(await readFile(path.join(to, 'manifest.json'), 'utf8'), new RegExp(MASTER_KEY));

  const keys = { own: [{ version: 1, key: Buffer.alloc(32, 7) }], other: [{ version: 1, key: randomBytes(32) }] };
  const failing = async (of: Parameters<typeof proveRestored>[1]) =>
    (await proveRestored(pool, of)).filter(({ holds }) => !holds).map(({ promise }) => promise);
  assert.deepEqual(await failing({ manifest, walletKeks: keys.own }), []);
  assert.deepEqual(await failing({ manifest, walletKeks: keys.other }), [
    'every wallet opens with the restored WALLET_KEK',
  ]);
});

test('books that are shorter than the backup, have another history or other balances are recognised', async (t) => {
  const app = await startApp(t);
  await app.user({ available: '1.00' });
  const pool = openPool(app.connection, { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  const client = await pool.connect();
  afterwards(t, () => client.release());
  const [head] = await readHeads(client);
  assert.equal((await compareHead(client, head!)).holds, true);
  await app.user({ available: '2.00' });
  assert.match((await compareHead(client, head!)).detail, /later$/);
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
