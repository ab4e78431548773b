// `npm start` is a good process when a service manager ends it. npm-start.long.test.ts ends it as Ctrl-C does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endNpmStart, STOPPED } from './npm-start.ts';

test('SIGTERM to npm start ends the server, the simulators and PostgreSQL, in this order', async (t) => {
  const { before, after, order } = await endNpmStart(t, 'SIGTERM');
  assert.deepEqual(before, { npm: true, server: true, sandbox: true, postgres: true });
  assert.deepEqual(after, { npm: false, server: false, sandbox: false, postgres: false });
  assert.deepEqual(order, STOPPED);
});
