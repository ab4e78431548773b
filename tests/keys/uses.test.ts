// The last use of a key is shown soon, saved rarely, never lost at shutdown, and never delays a request.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../server/src/base/instant.ts';
import { createUseRecorder, type KeyUse, saveApiKeyUses } from '../../server/src/modules/api-keys/use-recorder.ts';
import { MASTER, openKeyServer } from './key-server.ts';

const recorder = (save: (uses: readonly KeyUse[]) => Promise<void>, troubles: string[] = []) =>
  createUseRecorder({
    save,
    clock: systemClock,
    intervalMs: 1_000,
    onTrouble: (message) => void troubles.push(message),
  });

test('many uses of many keys are saved in one batch, once per interval', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const saved: (readonly KeyUse[])[] = [];
  const first = Promise.withResolvers<void>();
  const uses = recorder(async (batch) => {
    saved.push(batch);
    first.resolve();
  });
  for (let i = 0; i < 1_000; i++) uses.note({ marketplaceId: 'mkt_a', keyId: `key_${i % 3}` });
  assert.equal(saved.length, 0);
  t.mock.timers.tick(1_000);
  await first.promise;
  assert.deepEqual(
    saved.map((batch) => batch.map((use) => use.keyId)),
    [['key_0', 'key_1', 'key_2']],
  );
  await uses.close();
  assert.equal(saved.length, 1);
});

test('unsaved uses are saved at shutdown', async () => {
  const saved: KeyUse[] = [];
  const uses = recorder(async (batch) => void saved.push(...batch));
  uses.note({ marketplaceId: 'mkt_a', keyId: 'key_1' });
  const shown = uses.lastUse('key_1');
  await uses.close();
  assert.deepEqual(saved, [{ marketplaceId: 'mkt_a', keyId: 'key_1', usedAt: shown }]);
});

test('uses that could not be saved are reported and saved the next time, without overwriting newer ones', async () => {
  const troubles: string[] = [];
  const saved: KeyUse[] = [];
  let down = true;
  const uses = recorder(async (batch) => {
    if (down) throw new Error('the database is gone');
    saved.push(...batch);
  }, troubles);
  uses.note({ marketplaceId: 'mkt_a', keyId: 'key_1' });
  await uses.close();
  assert.equal(troubles.length, 1);
  down = false;
  assert.notEqual(uses.lastUse('key_1'), null);
  await uses.close();
  assert.deepEqual(
    saved.map((use) => use.keyId),
    ['key_1'],
  );
});

test('the list shows the last use at once, the database has it after shutdown, and it never goes back', async (t) => {
  const server = await openKeyServer();
  t.after(() => server.close());
  const { id, key } = await server.makeKey();
  const lastUsedAt = async () =>
    (await server.ask('GET', '/auth/api-keys', { key: MASTER })).body.data.data[0].lastUsedAt;
  assert.equal(await lastUsedAt(), null);
  await server.statusOf(key);
  const shown = await lastUsedAt();
  assert.ok(Math.abs(Date.parse(shown) - Date.now()) < 60_000);
  await server.uses.close();
  const stored = async () =>
    (await server.pool.query('select last_used_at from api_key_uses where api_key_id = $1', [id])).rows[0]
      ?.last_used_at;
  assert.equal(await stored(), shown);
  assert.equal(await lastUsedAt(), shown);
  await saveApiKeyUses(server.pool, [
    { marketplaceId: 'mkt_default', keyId: id, usedAt: '2020-01-01T00:00:00.000000Z' },
  ]);
  assert.equal(await stored(), shown);
});
