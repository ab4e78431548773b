// Exports that no other file uses. Such an export is either dead code or a detail of its file that looks like an interface.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesOf, readText } from './sources.ts';

const DECLARED = /^export (?:declare )?(?:abstract )?(?:async )?(?:const|function|class|type) (\w+)/gm;
const CODE = '{contract,server,sandbox,cli,console,tools,tests,bench,scripts}/**/*.{ts,tsx}';

/** The published package exports its types for its users, and its printed part holds every schema of the contract. */
const sdkFiles = filesOf('sdk/{src,examples}/**/*.ts');

const namesIn = (text: string): Set<string> => new Set(text.match(/[A-Za-z_$][\w$]*/g));

/** `file name` of every export whose name no other file contains. */
const unusedExports = (texts: ReadonlyMap<string, string>): string[] => {
  const filesWith = new Map<string, number>();
  for (const text of texts.values()) {
    for (const name of namesIn(text)) filesWith.set(name, (filesWith.get(name) ?? 0) + 1);
  }
  return [...texts].flatMap(([file, text]) =>
    [...text.matchAll(DECLARED)]
      .filter(([, name]) => filesWith.get(name!) === 1 && !file.startsWith('sdk/'))
      .map(([, name]) => `${file} ${name}`),
  );
};

test('the check of exports finds an export that only its own file names', () => {
  const texts = new Map([
    ['a.ts', 'export const used = 1;\nexport const alone = used;\nexport type Alone = typeof alone;'],
    ['b.ts', "import { used } from './a.ts';"],
  ]);
  assert.deepEqual(unusedExports(texts), ['a.ts alone', 'a.ts Alone']);
});

test('every export is used by another file', () => {
  const files = [...filesOf(CODE), ...sdkFiles].filter((file) => !file.includes('/dist/'));
  assert.deepEqual(unusedExports(new Map(files.map((file) => [file, readText(file)]))), []);
});
