// Signals to an older Node, which has handed over to the pinned one.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { AS_OLDER } from './older-node.ts';
import { openTool } from './tool.ts';

test('an older Node passes a signal on to the pinned one, and ends as the shell expects', async (t) => {
  const tool = await openTool(t);
  for (const [signal, expected] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    // It waits for a key on standard input, which stays open.
    const child = spawn(process.execPath, [...AS_OLDER, 'login', '--verbose'], { env: tool.env });
    await once(child.stderr, 'data');
    child.kill(signal);
    const [code] = await once(child, 'close');
    assert.equal(code, expected);
  }
});
