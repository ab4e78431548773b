// What is printed from tables is what the tables say today: pages under docs/, and the SDK's types and routes. Programs that
// a page shows are files that the tests run.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ERRORS } from '@holdfast/contract/errors.ts';
import { EVENTS } from '@holdfast/contract/events.ts';
import { PAGES, printErrors, printEvents } from '../../tools/print/print-docs.ts';
import { leftOver, printSdk } from '../../tools/print/print-sdk.ts';
import { filesOf, readText } from './sources.ts';

for (const { url, print } of PAGES) {
  const page = `docs/${path.basename(fileURLToPath(url))}`;

  test(`${page} is what its table prints`, () => {
    assert.ok(existsSync(url), `run: node tools/print/print-docs.ts`);
    assert.equal(readFileSync(url, 'utf8'), print(), `run: node tools/print/print-docs.ts`);
  });
}

test('every error and every event has its row', () => {
  for (const name of Object.keys(ERRORS)) assert.ok(printErrors().includes(`\n| \`${name}\` |`), name);
  for (const type of Object.keys(EVENTS)) assert.ok(printEvents().includes(`\n| \`${type}\` |`), type);
});

test("the SDK's types and routes are what the contract prints, and no file is left over", async () => {
  const printed = await printSdk();
  for (const { url, text } of printed) {
    assert.ok(existsSync(url), `run: node tools/print/print-sdk.ts`);
    assert.equal(
      readFileSync(url, 'utf8'),
      text,
      `${path.basename(fileURLToPath(url))}: run: node tools/print/print-sdk.ts`,
    );
  }
  assert.deepEqual(leftOver(printed), []);
});

test("every program on the SDK's pages is one of its examples, and the guides show them all", () => {
  const shown = (page: string): string[] =>
    [...readText(page).matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text]) => text!);
  const examples = filesOf('sdk/examples/*.ts').map(readText);
  assert.deepEqual([...shown('docs/sdk.md'), ...shown('docs/policies.md')].toSorted(), examples.toSorted());
  for (const text of shown('sdk/README.md')) assert.ok(examples.includes(text), text);
});
