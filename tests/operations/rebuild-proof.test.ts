// `holdfast proof --rebuild` discards what a proof has derived, and the next proof makes it again.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { ROOT } from '../tidy/sources.ts';

test('checkpoints, sums and notes are discarded for one marketplace, and the proof holds afterwards', async (t) => {
  const app = await startApp(t);
  const { host, port, user, password, database } = app.connection as Record<string, string>;
  const url = `postgres://${user}:${password ?? ''}@${encodeURIComponent(host!)}:${port}/${database}`;
  await app.aUser({ available: '10.00' });
  await app.call('GET /audit/proof?full=true');
  for (const part of ['checkpoints', 'activity', 'fees', 'audit-notes']) {
    const args = ['server/src/programs/rebuild-proof.ts', part, app.marketplaceId];
    const ended = spawnSync(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, DATABASE_URL: url },
      encoding: 'utf8',
    });
    assert.equal(ended.status, 0, ended.stderr);
    assert.match(ended.stdout, /rows of \w+ are discarded/);
  }
  const { body } = await app.call('GET /audit/proof');
  assert.equal(body.data.holds, true);
  const wrong = spawnSync(process.execPath, ['server/src/programs/rebuild-proof.ts', 'all'], { cwd: ROOT });
  assert.equal(wrong.status, 2);
});
