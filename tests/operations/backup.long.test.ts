// A backup that is taken while money moves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backup } from '../../tools/drills/drill-backup.ts';
import { playDrill } from '../../tools/drills/stage.ts';

test('a backup under load is restored and proved: no credit that was acknowledged before it is missing', async (t) => {
  const findings = await playDrill(backup, { seconds: 0, say: (line) => t.diagnostic(line) });
  assert.ok(findings.length > 10);
  assert.deepEqual(
    findings.filter(({ holds }) => !holds),
    [],
  );
});
