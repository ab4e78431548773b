// Runs a script of the project that refuses its arguments, or prints its help.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(import.meta.dirname, '../..');

export const runScript = async (script: string, ...args: string[]) => {
  const file = path.join(ROOT, script);
  return promisify(execFile)(process.execPath, [file, ...args]).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
};

/** The first line of a refusal that also prints the usage. */
export const refusalOf = async (script: string, ...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await runScript(script, ...args);
  assert.deepEqual([code, stdout], [2, ''], stderr);
  assert.match(stderr, /\n\nUsage: npm run /);
  return stderr.split('\n')[0]!;
};
