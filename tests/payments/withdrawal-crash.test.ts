// A server that is killed in a withdrawal leaves one that is paid once, and a repeat of the request finds it. Every step is
// walked in withdrawal-crash.long.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PATIENCE_MS, walkSubmissions } from './withdrawal-walk.ts';

test('kill -9 while a payment is at the provider or on the ledger and the server does not know: it is paid once (defect 18)', {
  timeout: PATIENCE_MS,
}, async (t) => {
  assert.ok((await walkSubmissions(t)) >= 7);
});
