// A program in a process of its own. It gets what it is given and nothing else of ours, what it says is heard, and it does not
// outlive us.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { endWithProcess } from '../../server/src/programs/interruption.ts';

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type LoneProcess = {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Settles when it has ended, asked to or not. */
  readonly exited: Promise<Exit>;
  /** Null while it runs. */
  exit(): Exit | null;
  /** The end of what it wrote, to both outputs. */
  said(): string;
  /** What the pattern's first group finds in what it says, or all of it; fails when it ends without having said it. */
  hear(pattern: RegExp): Promise<string>;
  kill(signal: NodeJS.Signals): Promise<Exit>;
};

type Start = {
  readonly file: string;
  readonly args?: readonly string[];
  readonly folder: string;
  /** The complete environment of the process: settings of the parent must not change what it does. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nodeOptions?: readonly string[];
  /** Where everything it says is kept. */
  readonly logFile?: string;
  /** Whether it is talked to by messages. */
  readonly hasMessages?: boolean;
};

const SAID_MAX = 20_000;
/** On a machine that is busy with many others. */
const SAY_WITHIN_MS = 180_000;

export const startLoneProcess = (start: Start): LoneProcess => {
  const { file, args = [], folder, env, nodeOptions = [], logFile, hasMessages = false } = start;
  const { PATH, TMPDIR, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;
  const child = spawn(process.execPath, [...nodeOptions, file, ...args], {
    cwd: folder,
    env: { PATH, TMPDIR, NODE_COMPILE_CACHE, NODE_OPTIONS, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(hasMessages ? (['ipc'] as const) : [])],
    // In a session of its own: Ctrl-C at the terminal is for the parent process.
    detached: true,
  });
  endWithProcess(child);
  const log = logFile === undefined ? null : createWriteStream(logFile);
  let text = '';
  const listeners = new Set<() => void>();
  for (const output of [child.stdout!, child.stderr!]) {
    output.on('data', (chunk: Buffer) => {
      log?.write(chunk);
      text = (text + chunk.toString()).slice(-SAID_MAX);
      for (const listen of listeners) listen();
    });
  }
  // Nothing more can come then: what it said last may be read after its end.
  const closed = once(child, 'close');
  closed.then(() => log?.end());
  let exit: Exit | null = null;
  const exited = once(child, 'exit').then(([code, signal]): Exit => {
    exit = { code, signal };
    return exit;
  });

  const hear = async (pattern: RegExp): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const listen = (): void => {
      const found = pattern.exec(text);
      if (found) resolve(found[1] ?? found[0]);
    };
    const giveUp = (why: string) => (): void => reject(new Error(`${path.basename(file)} ${why}: ${text}`));
    listeners.add(listen);
    closed.then(giveUp('ended'));
    const timer = setTimeout(giveUp(`said nothing of the kind within ${SAY_WITHIN_MS} ms`), SAY_WITHIN_MS);
    listen();
    try {
      return await promise;
    } finally {
      listeners.delete(listen);
      clearTimeout(timer);
    }
  };

  return {
    child,
    pid: child.pid!,
    exited,
    hear,
    exit: () => exit,
    said: () => text,
    kill(signal) {
      child.kill(signal);
      return exited;
    },
  };
};
