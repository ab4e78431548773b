// `npm start` is a good process when Ctrl-C ends it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endNpmStart, STOPPED } from './npm-start.ts';

test('SIGINT to npm start ends the server, the simulators and PostgreSQL, in this order', async (t) => {
  const { before, after, order } = await endNpmStart(t, 'SIGINT');
  assert.deepEqual(before, { npm: true, server: true, sandbox: true, postgres: true });
  assert.deepEqual(after, { npm: false, server: false, sandbox: false, postgres: false });
  assert.deepEqual(order, STOPPED);
});
