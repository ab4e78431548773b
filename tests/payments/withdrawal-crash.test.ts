// A withdrawal whose server is killed is paid once, and a repeated request finds it. withdrawal-crash.long.test.ts kills the
// server at every step.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killAfterSubmissions, TIMEOUT_MS } from './withdrawal-kills.ts';

test('kill -9 while a payment is at the provider or on the ledger and the server does not know: it is paid once (defect 18)', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  assert.ok((await killAfterSubmissions(t)) >= 7);
});
