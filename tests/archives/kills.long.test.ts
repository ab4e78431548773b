// An archiver that is killed at any step: the proof holds at that moment, and the next run ends with the same archive.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { test } from 'node:test';
import { contentOf, type History, openHistory, writeMonths } from './fixture.ts';
import type { Killed } from './killed-archiver.ts';

const PERIOD = { id: '2025-01', endsAt: '2025-02-01T00:00:00.000000Z' };
const HOLDS = { archives: true, problems: [], chain: true, books: true };

/** Resolves to whether the process was killed at the step. False: the step was not reached this often. */
const killAt = async (history: History, of: Pick<Killed, 'verb' | 'step' | 'time'>): Promise<boolean> => {
  const { connection, marketplaceId, folder } = history;
  const nowMicros = Date.parse(history.now()) * 1_000;
  const asked: Killed = { ...of, connection, marketplaceId, dir: folder, period: PERIOD, nowMicros };
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'killed-archiver.ts'), JSON.stringify(asked)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code, signal] = await once(child, 'exit');
  assert.ok(signal === 'SIGKILL' || code === 0, `the archiver ended with ${code ?? signal}`);
  return signal === 'SIGKILL';
};

for (const step of ['exported', 'renamed', 'sealed', 'removing', 'removed']) {
  test(`an archiver that is killed when it has ${step} loses nothing, and the next one finishes`, async (t) => {
    const history = await openHistory(t);
    await writeMonths(history, ['2025-01', '2025-02']);
    history.at('2025-08', 1);
    let kills = 0;
    while (kills < 4 && (await killAt(history, { verb: 'create', step, time: kills + 1 }))) {
      kills++;
      assert.partialDeepStrictEqual(await history.proveAll(), HOLDS);
    }
    assert.ok(kills >= 1);
    // The process before was killed again or ended. This one finishes.
    history.at('2025-08', 2);
    await history.archiveAll();
    const archives = await history.archiver.reads.list(history.marketplaceId);
    assert.deepEqual(
      archives.map(({ id, state }) => `${id} ${state}`),
      ['2025-01 REMOVED', '2025-02 REMOVED'],
    );
    assert.partialDeepStrictEqual(await history.proveAll(), HOLDS);
  });
}

for (const step of ['restoring', 'restored']) {
  test(`a restore that is killed while ${step} loses nothing, and the next one finishes`, async (t) => {
    const history = await openHistory(t);
    await writeMonths(history, ['2025-01']);
    const before = await contentOf(history);
    history.at('2025-06', 1);
    assert.deepEqual(await history.archiveAll(), ['2025-01']);
    let kills = 0;
    while (kills < 4 && (await killAt(history, { verb: 'restore', step, time: kills + 1 }))) {
      kills++;
      const { chain, books } = await history.proveAll();
      assert.deepEqual([chain, books], [true, true]);
    }
    assert.ok(kills >= 1);
    history.at('2025-06', 2);
    await history.archiver.restore(history.marketplaceId);
    assert.deepEqual((await contentOf(history)).postings, before.postings);
    assert.deepEqual(
      (await history.archiver.reads.list(history.marketplaceId)).map(({ state }) => state),
      ['RESTORED'],
    );
    assert.partialDeepStrictEqual(await history.proveAll(), HOLDS);
  });
}
