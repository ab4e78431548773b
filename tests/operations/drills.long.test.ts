// Short forms of the drills that no other test covers. tests/crash has kill -9 of the server and of its PostgreSQL, tests/orders
// and tests/ledger have operations during an outage of an outside system, scaling.long.test.ts replaces servers under load. Not
// here: `upgrade`, which takes a minute, and `wal-full`, because a test cannot decide when PostgreSQL needs a new WAL file.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { clockLeaps } from '../../tools/drills/drill-clock.ts';
import { connections } from '../../tools/drills/drill-connections.ts';
import { diskFull } from '../../tools/drills/drill-disk.ts';
import { journal } from '../../tools/drills/drill-journal.ts';
import { olderDatabase } from '../../tools/drills/drill-older-database.ts';
import { replica } from '../../tools/drills/drill-replica.ts';
import { restartPostgres } from '../../tools/drills/drill-restart.ts';
import { killSandbox } from '../../tools/drills/drill-sandbox.ts';
import { type Drill, isNotPlayed, playDrill } from '../../tools/drills/stage.ts';

/** One wait of a drill may last as long as the usual limit of a test, so these tests have a longer limit. */
const PATIENCE_MS = 300_000;

const play = async (t: TestContext, { drill, seconds }: { drill: Drill; seconds: number }): Promise<void> => {
  const findings = await playDrill(drill, { seconds, say: (line) => t.diagnostic(line) });
  assert.ok(findings.some(({ promise }) => promise === 'nothing that was acknowledged is lost'));
  assert.deepEqual(
    findings.filter(({ holds }) => !holds),
    [],
  );
};

test('a PostgreSQL that is stopped in each way and killed under load loses nothing, and the server keeps running', async (t) => {
  await play(t, { drill: restartPostgres, seconds: 0.2 });
});

test('a server that loses all its database connections to another client continues when there are free ones', async (t) => {
  await play(t, { drill: connections, seconds: 0.2 });
});

test('a synchronous replica that is promoted has everything that was acknowledged', async (t) => {
  await play(t, { drill: replica, seconds: 0 });
});

test('a backup that is restored while the ledger is ahead of it pays nothing twice', {
  timeout: PATIENCE_MS,
}, async (t) => {
  const findings = await playDrill(olderDatabase, { seconds: 0, say: (line) => t.diagnostic(line) });
  assert.ok(findings.some(({ promise }) => promise === 'nothing was paid a second time'));
  assert.deepEqual(
    findings.filter(({ holds }) => !holds),
    [],
  );
});

/** Without the right to mount a disk the drill does not run, and the test prints the reason. */
const playIfPossible = async (t: TestContext, of: { drill: Drill; seconds: number }): Promise<void> => {
  await play(t, of).catch((error: unknown) => {
    if (!isNotPlayed(error)) throw error;
    t.diagnostic(`not run: ${error.message}`);
  });
};

test('a full disk loses nothing, and with free space again the service continues', async (t) => {
  await playIfPossible(t, { drill: diskFull, seconds: 0.5 });
});

test('killing the outside systems during orders, top-ups and withdrawals leaves nothing stuck or doubled', {
  timeout: PATIENCE_MS,
}, async (t) => {
  await play(t, { drill: killSandbox, seconds: 0.1 });
});

test('a clock that jumps by hours, and differs from the clock of the database, changes no money and no order of events', {
  timeout: PATIENCE_MS,
}, async (t) => {
  await play(t, { drill: clockLeaps, seconds: 0 });
});

test('bookkeeping tools agree with the books of a marketplace at work whose server was killed between two exports', {
  timeout: PATIENCE_MS,
}, async (t) => {
  await play(t, { drill: journal, seconds: 0 });
});
