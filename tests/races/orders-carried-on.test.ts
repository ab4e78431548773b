// A server that starts while another one runs operations resumes them too. orders-carried-on.long.test.ts has three orders of
// each operation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { carryOnTogether } from './carried-on.ts';

test('two servers that resume the same operations make every contract call once (defects 7, 8)', async (t) => {
  assert.deepEqual(await carryOnTogether(t, { each: 1 }), [], 'no call is on the ledger twice');
});
