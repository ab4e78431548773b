// A server that starts while another is in the middle of its operations takes them up too. Three orders of each operation are in
// orders-carried-on.long.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { carryOnTogether } from './carried-on.ts';

test('two servers that carry the same operations on make every call once (defects 7, 8)', async (t) => {
  assert.deepEqual(await carryOnTogether(t, { each: 1 }), [], 'no call is on the ledger twice');
});
