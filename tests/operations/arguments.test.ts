// A script that misreads its arguments would check nothing and report success. A program that reads a wrong folder would find
// empty books. Both refuse, and neither creates a file. arguments.long.test.ts runs more scripts.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { InvalidArgumentError } from 'commander';
import { openCommandDatabase } from '../../server/src/postgres/for-command.ts';
import { takeBackup } from '../../server/src/programs/backup/backup.ts';
import { decimal, notEmpty, whole } from '../../server/src/programs/script-command.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { refusalOf, runScript } from './run-script.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

test('a number of another kind or outside its bounds is refused', () => {
  assert.equal(whole({ from: 1, to: 20 })('20'), 20);
  for (const wrong of ['abc', '', '0', '21', '1.5', '1e1', '0x10', ' 7', 'NaN', 'Infinity', '9007199254740993']) {
    assert.throws(() => whole({ from: 1, to: 20 })(wrong), /It must be a whole number from 1 to 20\./, wrong);
  }
  assert.throws(() => whole({ from: 0 })('9007199254740993'), InvalidArgumentError);
  assert.equal(decimal({ from: 0.1 })('1.5'), 1.5);
  for (const wrong of ['abc', '0', '-1', '.', '1.', '1,5', 'Infinity']) {
    assert.throws(() => decimal({ from: 0.1 })(wrong), /It must be a number of at least 0\.1\./, wrong);
  }
  assert.throws(() => notEmpty(''), /It must not be empty/);
});

test('unknown and missing options and numbers out of bounds are refused with the usage, and help is printed', async () => {
  assert.equal(await refusalOf('scripts/fuzz.ts', '--nonsense'), "error: unknown option '--nonsense'");
  const refusal = await refusalOf('scripts/fuzz.ts', '--requests', '0');
  assert.match(refusal, /argument '0' is invalid\. It must be a whole number of at least 1\./);
  assert.match(await refusalOf('server/src/programs/take-backup.ts'), /required option '--to <folder>' not specified/);
  const help = await runScript('scripts/simulate.ts', '--help');
  assert.equal(help.code, 0);
  assert.match(help.stdout, /--keep-database/);
});

test('a command that only reads creates no database in a folder without one', async (t) => {
  const folder = await temporaryFolder(t);
  const missing = path.join(folder, 'missing');
  for (const dataDir of [folder, missing]) {
    await assert.rejects(openCommandDatabase({ url: null, dataDir }), {
      message: `There is no database in ${dataDir}. Set DATA_DIR to the folder of the server, or DATABASE_URL.`,
    });
    await assert.rejects(takeBackup(dataDir, path.join(folder, 'some', 'backup')), /There is no database/);
  }
  const env = { PATH: process.env.PATH, DATA_DIR: missing };
  const run = promisify(execFile)(process.execPath, [path.join(ROOT, 'server/src/programs/verify-audit.ts')], { env });
  await assert.rejects(run, { code: 1, stdout: '', stderr: /^There is no database in .*\n$/ });
  assert.deepEqual(await readdir(folder), []);
});
