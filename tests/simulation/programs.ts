// Programs of a simulated town, each in a process of its own, so that it can be killed as a power cut would: the real server,
// and the twins of the outside systems with their state in a file.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { patiently } from './patiently.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
export const SERVER = path.join(ROOT, 'server/src/main.ts');
export const STREET = path.join(import.meta.dirname, 'street-process.ts');

export type Program = {
  /** What the pattern found in what it said when it was ready. */
  readonly ready: string;
  readonly exited: Promise<void>;
  isAlive(): boolean;
  /** The end of what it wrote, to both outputs. */
  said(): string;
  kill(signal?: NodeJS.Signals): Promise<void>;
};

type Start = {
  readonly file: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Its first group is what the program says of itself. */
  readonly ready: RegExp;
};

const SAID_MAX = 20_000;

const running = new Set<ChildProcess>();

/** An interrupted simulation leaves none of them behind. */
export const killPrograms = (): void => {
  for (const child of running) child.kill('SIGKILL');
};
process.on('exit', killPrograms);

export const startProgram = async ({ file, folder, env, ready }: Start): Promise<Program> => {
  const child = spawn(process.execPath, [file], {
    cwd: folder,
    // Only these: a setting of whoever simulates must not change what is simulated.
    env: {
      PATH: process.env.PATH,
      TMPDIR: process.env.TMPDIR,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const output of [child.stdout, child.stderr]) {
    output.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-SAID_MAX);
    });
  }
  running.add(child);
  let isOver = false;
  const exited = once(child, 'exit').then(() => {
    isOver = true;
    running.delete(child);
  });
  let found: string | undefined;
  await patiently(
    () => {
      found = ready.exec(text)?.[1];
      return found !== undefined || isOver;
    },
    `${path.basename(file)} is ready`,
  );
  if (found === undefined) throw new Error(`${path.basename(file)} did not start: ${text}`);
  return {
    ready: found,
    exited,
    isAlive: () => !isOver,
    said: () => text,
    kill(signal = 'SIGKILL') {
      child.kill(signal);
      return exited;
    },
  };
};
