// Programs under load, each a process of its own with its vitals: started as anybody starts them, asked how they are, and
// ended when the run is over.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { endWithUs } from '../interruption.ts';
import type { Vitals, VitalsQuestion } from './vitals.ts';

export type Program = {
  readonly pid: number;
  /** What the pattern found in what it said when it was ready. */
  readonly ready: string;
  /** How it ended, if it did. */
  ended(): string | null;
  ask(question: VitalsQuestion): Promise<Vitals>;
  /** File descriptors that it holds; null where the system does not tell. */
  openFiles(): Promise<number | null>;
  stop(): Promise<void>;
};

type Start = {
  readonly file: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly nodeOptions?: readonly string[];
  /** Its first group is what the program says of itself. */
  readonly ready: RegExp;
  readonly logFile: string;
};

const VITALS = path.join(import.meta.dirname, 'vitals.ts');
const SAID_MAX = 20_000;

const readyOf = (child: ChildProcess, { ready, logFile }: Start): Promise<string> =>
  new Promise((resolve, reject) => {
    const log = createWriteStream(logFile);
    let text = '';
    for (const output of [child.stdout!, child.stderr!]) {
      output.on('data', (chunk: Buffer) => {
        log.write(chunk);
        text = (text + chunk.toString()).slice(-SAID_MAX);
        const found = ready.exec(text)?.[1];
        if (found !== undefined) resolve(found);
      });
    }
    child.once('close', () => {
      log.end();
      reject(new Error(`${logFile}: the program ended: ${text}`));
    });
  });

/** Stopped with everything else, also when it was only just starting. */
export const startProgram = async (start: Start, cleanUp: AsyncDisposableStack): Promise<Program> => {
  const { file, folder, env, nodeOptions = [] } = start;
  const child = spawn(process.execPath, ['--import', VITALS, ...nodeOptions, file], {
    cwd: folder,
    // Only these: a setting of whoever looks must not change what is looked at.
    env: {
      ...{ PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
      ...env,
    },
    // In a session of its own: Ctrl-C at the terminal is for whoever looks.
    ...{ detached: true, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  });
  endWithUs(child);
  let ended: string | null = null;
  const exited = once(child, 'exit').then(([code, signal]) => {
    ended = `${path.basename(file)} ended with ${signal ?? code}`;
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  cleanUp.defer(stop);
  const ready = await readyOf(child, start);
  let asking: Promise<unknown> = Promise.resolve();

  const askNow = async (question: VitalsQuestion): Promise<Vitals> => {
    if (ended !== null) throw new Error(ended);
    const answer = once(child, 'message') as Promise<[Vitals]>;
    child.send(question);
    const [vitals] = await Promise.race([answer, exited.then(() => Promise.reject(new Error(ended ?? 'it ended')))]);
    return vitals;
  };

  return {
    ...{ pid: child.pid!, ready, stop, ended: () => ended },
    ask(question) {
      // One question at a time: answers carry no name.
      const answer = asking.then(() => askNow(question));
      asking = answer.catch(() => {});
      return answer;
    },
    async openFiles() {
      const files = await readdir(`/proc/${child.pid}/fd`).catch(() => null);
      return files?.length ?? null;
    },
  };
};
