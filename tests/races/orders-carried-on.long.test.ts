// Two servers at the same operations, three orders of each.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { carryOnTogether } from './carried-on.ts';

test('two servers that carry many of the same operations on make every call once (defects 7, 8)', async (t) => {
  assert.deepEqual(await carryOnTogether(t, { each: 3 }), [], 'no call is on the ledger twice');
});
