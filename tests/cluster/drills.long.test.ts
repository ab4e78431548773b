// Short forms of the drills of a distributed database. Each starts a cluster of its own. What they say about times is not judged here.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { moveMarketplace } from '../../tools/drills/distributed/drill-move.ts';
import { IN_TIME, killCoordinator, killWorker, silenceWorker } from '../../tools/drills/distributed/drill-nodes.ts';
import { type Drill, playDrill } from '../../tools/drills/stage.ts';

const timeout = 300_000;

const play = async (t: TestContext, { drill, seconds }: { drill: Drill; seconds: number }): Promise<void> => {
  const findings = await playDrill(drill, { seconds, say: (line) => t.diagnostic(line) });
  assert.ok(findings.some(({ promise }) => promise === 'nothing that was acknowledged is lost'));
  assert.deepEqual(
    findings.filter(({ promise, holds }) => !holds && !promise.startsWith(IN_TIME)),
    [],
  );
};

test('killing a worker stops only its marketplaces, and loses nothing', { timeout }, async (t) => {
  await play(t, { drill: killWorker, seconds: 3 });
});

test('a worker that answers nothing stops only its marketplaces, and loses nothing', { timeout }, async (t) => {
  await play(t, { drill: silenceWorker, seconds: 1 });
});

test('killing the coordinator loses nothing', { timeout }, async (t) => {
  await play(t, { drill: killCoordinator, seconds: 3 });
});

test('a marketplace that moves to another worker while it is written to loses nothing', { timeout }, async (t) => {
  await play(t, { drill: moveMarketplace, seconds: 0.5 });
});
