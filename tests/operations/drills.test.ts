// Short forms of the drills that no other test plays: tests/crash has kill -9 of the server and of its PostgreSQL, tests/orders
// and tests/custody what an outside system that is away does to an operation.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { diskFull } from '../../scripts/drills/drill-disk.ts';
import { replica } from '../../scripts/drills/drill-replica.ts';
import { restartPostgres } from '../../scripts/drills/drill-restart.ts';
import { DRILLS } from '../../scripts/drills/drills.ts';
import { type Drill, playDrill } from '../../scripts/drills/stage.ts';

const play = async (t: TestContext, { drill, seconds }: { drill: Drill; seconds: number }): Promise<void> => {
  const findings = await playDrill(drill, { seconds, say: (line) => t.diagnostic(line) });
  assert.ok(findings.some(({ promise }) => promise === 'nothing that was acknowledged is lost'));
  assert.deepEqual(
    findings.filter(({ holds }) => !holds),
    [],
  );
};

test('a PostgreSQL that is stopped, ended at once and killed under load loses nothing, and the server stays', async (t) => {
  await play(t, { drill: restartPostgres, seconds: 0.2 });
});

test('a synchronous replica that is promoted has everything that was acknowledged', async (t) => {
  await play(t, { drill: replica, seconds: 0 });
});

test('a full disk loses nothing, and with room again the service goes on; without the right to mount one it says so', async (t) => {
  const refusal: unknown = await play(t, { drill: diskFull, seconds: 0.5 }).then(
    () => null,
    (error) => error,
  );
  if (refusal !== null) assert.match(String(refusal), /needs root on Linux/);
});

test('every drill has a name of its own and says what it is about', () => {
  const names = DRILLS.map(({ name }) => name);
  assert.deepEqual([...new Set(names)], names);
  for (const { name, about, seconds } of DRILLS) {
    assert.match(name, /^[a-z]+(-[a-z]+)*$/);
    assert.ok(about.length > 20 && seconds > 0);
  }
});
