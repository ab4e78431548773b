// A script that misreads its arguments would check nothing and report success. A program that reads a wrong folder would find
// empty books. Both refuse, and neither creates a file.

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

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Runs a script that refuses its arguments, or prints its help. */
const run = async (script: string, ...args: string[]) => {
  const file = path.join(ROOT, script);
  return promisify(execFile)(process.execPath, [file, ...args]).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
};

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

test('unknown and missing options are refused with the usage, and help is printed', async () => {
  const refused = async (script: string, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(script, ...args);
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.match(stderr, /\n\nUsage: npm run /);
    return stderr.split('\n')[0]!;
  };
  assert.equal(await refused('scripts/fuzz.ts', '--nonsense'), "error: unknown option '--nonsense'");
  assert.match(await refused('scripts/overload.ts', '--mode', 'nonsense'), /Allowed choices are queues, rate\./);
  assert.match(await refused('scripts/attack.ts', '--only', 'nonsense'), /Allowed choices are self-credit, hints, /);
  assert.match(await refused('scripts/drill.ts', 'stray'), /'stray' is invalid/);
  assert.match(await refused('server/src/programs/take-backup.ts'), /required option '--to <folder>' not specified/);
  assert.match(await refused('bench/processes.ts', '--sizes', '4,2'), /The numbers must grow\./);
  assert.match(await refused('bench/stream.ts', '--rate', 'many'), /It must be a whole number of at least 1\./);
  const help = await run('scripts/simulate.ts', '--help');
  assert.equal(help.code, 0);
  assert.match(help.stdout, /--keep-database/);
});

test('a script exits with 2 and prints its usage before it has started anything', async () => {
  const { code, stdout, stderr } = await run('scripts/fuzz.ts', '--requests', '0');
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /argument '0' is invalid\. It must be a whole number of at least 1\./);
  assert.match(stderr, /\n\nUsage: npm run fuzz -- /);
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
