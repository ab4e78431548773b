// A withdrawal whose server is killed at any step is paid once, and a repeated request finds it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killAfterSubmissions, killAtEveryPoint, TIMEOUT_MS } from './withdrawal-kills.ts';

test('kill -9 at every step of a withdrawal through the payment provider: it is paid once', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  assert.ok((await killAtEveryPoint(t, ['bank', 'at once'])) >= 12);
});

test('kill -9 at every step of a withdrawal to the ledger: it arrives once (defect 18)', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  assert.ok((await killAtEveryPoint(t, ['crypto'])) >= 11);
});

test('kill -9 while a payment is at the provider or on the ledger and the server does not know: it is paid once (defect 18)', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  assert.ok((await killAfterSubmissions(t)) >= 7);
});
