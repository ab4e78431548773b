// A withdrawal whose server is killed at any step is paid once, and a repeated request finds it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PATIENCE_MS, walk } from './withdrawal-walk.ts';

test('kill -9 at every step of a withdrawal through the payment provider: it is paid once', {
  timeout: PATIENCE_MS,
}, async (t) => {
  assert.ok((await walk(t, ['bank', 'at once'])) >= 12);
});

test('kill -9 at every step of a withdrawal to the ledger: it arrives once (defect 18)', {
  timeout: PATIENCE_MS,
}, async (t) => {
  assert.ok((await walk(t, ['crypto'])) >= 11);
});
