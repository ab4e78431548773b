// The list of tests for a cluster names files that exist: a renamed test would otherwise be run or left out without a word.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { CLUSTER_EXCLUDED, CLUSTER_LONG_FILES, clusterFiles } from './cluster-files.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

test('every file that the list names exists, and every exclusion has a reason', () => {
  const named = [...CLUSTER_LONG_FILES, ...Object.keys(CLUSTER_EXCLUDED)];
  assert.deepEqual(
    named.filter((file) => !existsSync(path.join(ROOT, file))),
    [],
  );
  assert.ok(Object.values(CLUSTER_EXCLUDED).every((reason) => reason.length > 0));
});

test('the run has the short tests of its folders and the named long ones', () => {
  const [long] = CLUSTER_LONG_FILES;
  const files = ['tests/orders/a.test.ts', 'tests/orders/b.long.test.ts', 'tests/console/c.test.ts', long!];
  assert.deepEqual(clusterFiles(files), ['tests/orders/a.test.ts', long!]);
});
