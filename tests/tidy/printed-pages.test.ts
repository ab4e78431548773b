// The pages under docs/ that are printed from tables are what the tables say today.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ERRORS } from '@holdfast/contract/errors.ts';
import { EVENTS } from '@holdfast/contract/events.ts';
import { PAGES, printErrors, printEvents } from '../../scripts/print-docs.ts';

for (const { url, print } of PAGES) {
  const page = `docs/${path.basename(fileURLToPath(url))}`;

  test(`${page} is what its table prints`, () => {
    assert.ok(existsSync(url), `run: node scripts/print-docs.ts`);
    assert.equal(readFileSync(url, 'utf8'), print(), `run: node scripts/print-docs.ts`);
  });
}

test('every error and every event has its row', () => {
  for (const name of Object.keys(ERRORS)) assert.ok(printErrors().includes(`\n| \`${name}\` |`), name);
  for (const type of Object.keys(EVENTS)) assert.ok(printEvents().includes(`\n| \`${type}\` |`), type);
});
