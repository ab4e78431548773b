// Two servers work on the same operations, with three orders of each kind.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { carryOnTogether } from './carried-on.ts';

test('two servers that resume many of the same operations make every contract call once (defects 7, 8)', async (t) => {
  assert.deepEqual(await carryOnTogether(t, { each: 3 }), [], 'no call is on the ledger twice');
});
