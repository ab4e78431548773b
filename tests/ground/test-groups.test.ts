// How test files are shared out among processes: none is lost, none runs twice.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/folder.ts';
import { groupTests } from '../support/groups.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Which files each process gets, in its order. */
const groupsOf = async (t: TestContext, files: readonly string[]): Promise<string[][]> => {
  const given = await groupTests(files, { root: ROOT, folder: await temporaryFolder(t), processes: 3 });
  assert.deepEqual(given.toSorted(), given, 'the order is the one of their names');
  return Promise.all(
    given.map(async (one) => {
      if (!path.isAbsolute(one)) return [one];
      const urls = (await readFile(one, 'utf8')).matchAll(/suiteOf\("[^"]+", "(file:[^"]+)"/g);
      return Array.from(urls, ([, url]) => path.relative(ROOT, fileURLToPath(url!)));
    }),
  );
};

const named = (length: number): string[] => Array.from({ length }, (_, place) => `tests/room/file-${place}.test.ts`);

test('every file is in exactly one process, in the order in which it was given', async (t) => {
  for (const length of [1, 2, 3, 4, 23, 24, 25, 68, 213]) {
    const files = named(length);
    assert.deepEqual((await groupsOf(t, files)).flat(), files, `of ${length} files`);
  }
});

test('a few files are shared out to as many processes as run at once, many to as few as can hold them', async (t) => {
  const sizes = async (length: number) => (await groupsOf(t, named(length))).map((group) => group.length);
  assert.deepEqual(await sizes(2), [1, 1]);
  assert.deepEqual(await sizes(5), [2, 1, 2]);
  assert.deepEqual(await sizes(36), [12, 12, 12]);
  assert.equal((await sizes(100)).length, 9);
});

test('what takes longest comes first, and alone', async (t) => {
  const slow = ['tests/races/orders-many.test.ts', 'tests/crash/order-made.test.ts'];
  const [first, second, ...others] = await groupsOf(t, [slow[1]!, ...named(9), slow[0]!]);
  assert.deepEqual([first, second], [[slow[0]], [slow[1]]]);
  assert.deepEqual(others.flat(), named(9));
});

test('those that wait are strewn among the slow ones, the shortest come last, and none is lost', async (t) => {
  const waiting = Array.from({ length: 3 }, (_, place) => `tests/browser/page-${place}.test.ts`);
  const slow = Array.from({ length: 8 }, (_, place) => `tests/crash/order-${place}.test.ts`);
  const short = ['tests/tidy/shape.test.ts', 'tests/keys/tokens.test.ts'];
  const order = (await groupsOf(t, [...waiting, ...short, ...slow, ...named(4)])).flat();
  assert.deepEqual(order.toSorted(), [...waiting, ...short, ...slow, ...named(4)].toSorted());
  assert.deepEqual(
    waiting.map((file) => order.indexOf(file)),
    [2, 5, 8],
  );
  assert.deepEqual(order.slice(-6), [...named(4), ...short]);
});
