// Runs one of the server's own programs with the same Node, for commands that need the server's code or database. The exit code of
// the program becomes the exit code of the command.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, type ExitCode, failure } from './failures.ts';
import { CODE_EXTENSION, CODE_FOLDER, dataFolder } from './profiles.ts';
import type { Out } from './view/out.ts';

/** The file of a program, which is named as in the checkout. */
export const entryPath = (name: string): string => {
  const file = join(CODE_FOLDER, 'server', 'src', name.replace(/\.ts$/, CODE_EXTENSION));
  if (existsSync(file)) return file;
  throw failure(
    'The code of the server was not found. Install the package `holdfast`, or use a checkout, and run `npx holdfast` there.',
    EXIT.usage,
  );
};

type EntryOptions = {
  readonly out: Out;
  readonly args?: readonly string[];
  /** Options of Node.js. */
  readonly flags?: readonly string[];
  /** Variables that the caller has not set. */
  readonly env?: Readonly<Record<string, string>>;
  /** The program prints JSON when it is asked to, so its output is passed on as it is. */
  readonly printsJson?: true;
  /** The program may ask a question in the terminal. */
  readonly asks?: true;
};

export const runEntry = async (name: string, options: EntryOptions): Promise<ExitCode> => {
  const { out, args = [], flags = [], env, printsJson, asks } = options;
  const isCaught = out.isJson && !printsJson;
  const child = spawn(process.execPath, [...flags, entryPath(name), ...args], {
    stdio: [asks ? 'inherit' : 'ignore', isCaught ? 'pipe' : 'inherit', 'inherit'],
    env: { ...env, ...process.env, DATA_DIR: dataFolder(process.env) },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (ended) => resolve(ended ?? EXIT.refused));
  });
  if (isCaught) out.json({ ok: code === 0, lines: said.split('\n').filter((line) => line !== '') });
  return code === 0 || code === 2 ? (code as ExitCode) : EXIT.refused;
};
