// Counts with their nouns, without a browser: the noun has the number of the count, and every page uses the one helper.

import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { plural } from '../../../console/src/plural.ts';

const SOURCES = path.resolve(import.meta.dirname, '../../../console/src');

test('a noun has the number of its count', () => {
  assert.equal(plural(0, 'order'), '0 orders');
  assert.equal(plural(1, 'order'), '1 order');
  assert.equal(plural(2, 'order'), '2 orders');
  assert.equal(plural(1_204, 'entry', 'entries'), '1,204 entries');
});

/** A choice between a noun and its plural that the helper would make: `=== 1 ? '1 call'` and `=== 1 ? '' : 's'`. */
const OWN_CHOICE = /=== 1 \? '(1 [a-z]+|)' : ['`][^'`]*s['`]/;

test('no page chooses a plural itself', async () => {
  for await (const file of glob('**/*.{ts,tsx}', { cwd: SOURCES })) {
    assert.doesNotMatch(await readFile(path.join(SOURCES, file), 'utf8'), OWN_CHOICE, file);
  }
});
