// A script that misreads its orders would prove nothing and say that all is well, and one that looks into a wrong folder
// would find empty books there: both refuse, and neither leaves anything behind.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openCommandDatabase } from '../../server/src/postgres/for-command.ts';
import { decimal, flag, neededText, oneOf, readArguments, text, whole } from '../../tools/arguments.ts';
import { takeBackup } from '../../tools/drills/backup.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

const SHAPE = {
  usage: 'how it is called',
  options: {
    seeds: whole({ from: 1, to: 20 }, 10),
    seed: whole({ from: 0 }, null),
    minutes: decimal({ from: 0.1 }, 5),
    mode: oneOf(['queues', 'rate']),
    samples: text(),
    report: flag(),
  },
  names: ['backup', 'all'],
};

const read = (...args: string[]) => readArguments(args, SHAPE);

test('orders are what was said, and the usual for the rest', () => {
  const usual = { seeds: 10, seed: null, minutes: 5, mode: null, samples: null, report: false };
  assert.deepEqual(read(), { kind: 'orders', values: usual, names: [] });
  const said = { seeds: 20, seed: 0, minutes: 1.5, mode: 'rate', samples: 'a b', report: true };
  const words = '--seeds 20 --seed=0 --minutes 1.5 all --mode rate --report'.split(' ');
  assert.deepEqual(read(...words, '--samples', 'a b'), { kind: 'orders', values: said, names: ['all'] });
});

test('whatever is no number of the kind that is wanted is refused in one sentence', () => {
  for (const wrong of ['abc', '', '0', '21', '1.5', '1e1', '0x10', ' 7', 'NaN', 'Infinity', '9007199254740993']) {
    const sentence = `--seeds must be a whole number from 1 to 20, and is ${JSON.stringify(wrong)}.`;
    assert.deepEqual(read(`--seeds=${wrong}`), { kind: 'wrong', sentence });
  }
  assert.equal(read('--seed=9007199254740993').kind, 'wrong');
  for (const wrong of ['abc', '0', '-1', '.', '1.', '1,5', 'Infinity']) {
    const sentence = `--minutes must be a number of at least 0.1, and is ${JSON.stringify(wrong)}.`;
    assert.deepEqual(read(`--minutes=${wrong}`), { kind: 'wrong', sentence });
  }
});

test('unknown options, words and modes are refused, a missing one is missed, and help is given', () => {
  const sentenceOf = (...args: string[]) => {
    const given = read(...args);
    return given.kind === 'wrong' ? given.sentence : given.kind;
  };
  assert.equal(sentenceOf('--nonsense'), "Unknown option '--nonsense'.");
  assert.equal(sentenceOf('--seeds'), "Option '--seeds <value>' argument missing.");
  assert.equal(sentenceOf('--report=yes'), "Option '--report' does not take an argument.");
  assert.equal(sentenceOf('--mode', 'nonsense'), '--mode must be queues or rate, and is "nonsense".');
  assert.equal(sentenceOf('--samples='), '--samples must be not empty, and is "".');
  assert.equal(sentenceOf('stray'), 'There is no "stray" here.');
  assert.equal(sentenceOf('--seeds', 'abc', '--help'), 'help');
  const bare = { usage: '', options: { to: neededText() } };
  assert.deepEqual(readArguments([], bare), { kind: 'wrong', sentence: '--to is missing.' });
  assert.deepEqual(readArguments(['--to', 'x', 'y'], bare), { kind: 'wrong', sentence: "Unexpected argument 'y'." });
});

test('a script ends with 2 and its usage before it has begun anything', async () => {
  const script = path.join(ROOT, 'scripts/fuzz.ts');
  const run = promisify(execFile)(process.execPath, [script, '--requests', '0']);
  await assert.rejects(run, { code: 2, stdout: '', stderr: /^--requests must be .*\n\nnpm run fuzz -- / });
});

test('a command that only looks makes no database where there is none', async (t) => {
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
