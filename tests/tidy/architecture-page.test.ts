// docs/architecture.md names files; each of them exists, and the list of files of a release stays short.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { filesOf, readText } from './sources.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const WAY_MAX = 45;

const page = readText('docs/architecture.md');

/** A path is relative to server/src or to the repository; a name alone stands for any file of the server with that name. */
const known = filesOf('server/src/**/*.ts');
const exists = (name: string): boolean =>
  existsSync(path.join(ROOT, name)) || known.some((file) => file === `server/src/${name}` || isNamed(file, name));
const isNamed = (file: string, name: string): boolean => !name.includes('/') && path.basename(file) === name;

test('every file that the architecture page names exists', () => {
  const names = [...page.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name]) => name!);
  assert.ok(names.length > 60);
  assert.deepEqual(
    names.filter((name) => !exists(name)),
    [],
  );
});

test(`a release passes at most ${WAY_MAX} files and three result types`, () => {
  const way = page.slice(page.indexOf('## How a release is processed'));
  const files = [...way.matchAll(/^\| (\d+) \| `/gm)].map(([, number]) => Number(number));
  assert.ok(files.length > 30 && files.length <= WAY_MAX, `${files.length} files`);
  assert.deepEqual(
    files,
    files.map((_, index) => index + 1),
  );
  assert.equal([...way.split('Money is given back')[0]!.matchAll(/^\| `\w+` \(`/gm)].length, 3);
});
