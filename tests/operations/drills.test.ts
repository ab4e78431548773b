// The table of drills. drills.long.test.ts runs them.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { DRILLS } from '../../tools/drills/drills.ts';
import { ROOT } from '../tidy/sources.ts';

const FOLDER = path.join(ROOT, 'tools/drills');

test('every drill has a unique name and a description', () => {
  const names = DRILLS.map(({ name }) => name);
  assert.deepEqual([...new Set(names)], names);
  for (const { name, about, seconds } of DRILLS) {
    assert.match(name, /^[a-z]+(-[a-z]+)*$/);
    assert.ok(about.length > 20 && seconds > 0);
  }
});

test('every drill that a file exports is in the table', async () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
    path.basename(file).startsWith('drill-'),
  );
  const modules = await Promise.all(files.map((file) => import(path.join(FOLDER, file))));
  const exported = modules.flatMap((module) => Object.values(module)).filter(isDrill);
  assert.ok(exported.length > 10);
  assert.deepEqual(new Set(exported), new Set(DRILLS));
});

function isDrill(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'play' in value;
}
