// The build of the console refuses a script that no browser could run.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

const PARSE = path.resolve(import.meta.dirname, '../../console/parse-scripts.ts');

test('a built script that does not parse fails the build and is named', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'scripts-'));
  t.after(() => rm(folder, { recursive: true }));
  await mkdir(path.join(folder, 'assets'));
  await writeFile(path.join(folder, 'assets/fine.js'), 'export const one = await 1; import("./other.js");');
  const parse = () =>
    spawnSync(process.execPath, ['--experimental-vm-modules', '--no-warnings', PARSE, folder], { encoding: 'utf8' });
  assert.deepEqual([parse().status, parse().stderr], [0, '']);
  await writeFile(path.join(folder, 'assets/broken.js'), 'export const one = (1;');
  const { status, stderr } = parse();
  assert.equal(status, 1);
  assert.match(stderr, /^assets\/broken\.js: /);
});
