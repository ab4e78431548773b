// The drill of a failover with Patroni, with the settings of deploy/patroni. It runs where Patroni, etcd, HAProxy and PostgreSQL are installed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failover } from '../../tools/drills/failover/drill-failover.ts';
import { playDrill } from '../../tools/drills/stage.ts';
import { findPatroni, PATRONI_MISSING } from '../../tools/patroni/programs.ts';

const NO_TOOLS = PATRONI_MISSING;

/** Two elections and the return of a primary, with whole servers, on a busy machine. */
const PATIENCE_MS = 900_000;

test('a primary that is killed, and one that is switched over, lose nothing that was acknowledged, and the server keeps running', {
  timeout: PATIENCE_MS,
}, async (t) => {
  if ((await findPatroni()) === null) return t.skip(NO_TOOLS);
  const findings = await playDrill(failover, { seconds: 0, say: (line) => t.diagnostic(line) });
  for (const name of ['kill -9', 'switchover']) {
    assert.ok(
      findings.some(({ promise }) => promise === `${name}: every acknowledged credit is in the books exactly once`),
    );
  }
  assert.deepEqual(
    findings.filter(({ holds }) => !holds),
    [],
  );
  return undefined;
});
