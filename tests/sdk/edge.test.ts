// The package needs nothing but fetch and what comes with it: it runs where no global of Node.js or of a browser is.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { buildSdk } from '../../scripts/build-sdk.ts';
import { startApp } from '../support/app.ts';
import { temporaryFolder } from '../support/folder.ts';

const PROGRAM = path.join(import.meta.dirname, 'edge-run.ts');

test('in a bare context it creates, lists, streams, refuses and checks a signature against a real server', async (t) => {
  const dist = await temporaryFolder(t);
  buildSdk(dist);
  const app = await startApp(t);
  const given = ['--experimental-vm-modules', '--no-warnings', PROGRAM, dist, app.url, await app.key(['*'])];
  const { stdout } = await promisify(execFile)(process.execPath, given);
  assert.deepEqual(JSON.parse(stdout), {
    ...{ available: '5.00', names: ['ada'], types: ['balance.credited'], eventId: 'evt_1' },
    refused: [true, 'INSUFFICIENT_FUNDS', '5.00'],
    stranger: 401,
  });
});
