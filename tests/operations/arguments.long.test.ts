// The scripts that arguments.test.ts does not run refuse wrong arguments too, with the usage.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf } from './run-script.ts';

test('choices, stray words and numbers out of bounds are refused with the usage', async () => {
  assert.match(await refusalOf('scripts/overload.ts', '--mode', 'nonsense'), /Allowed choices are queues, rate\./);
  assert.match(await refusalOf('scripts/attack.ts', '--only', 'nonsense'), /Allowed choices are self-credit, hints, /);
  assert.match(await refusalOf('scripts/drill.ts', 'stray'), /'stray' is invalid/);
  assert.match(await refusalOf('bench/processes.ts', '--sizes', '4,2'), /The numbers must grow\./);
  assert.match(await refusalOf('bench/stream.ts', '--rate', 'many'), /It must be a whole number of at least 1\./);
});
