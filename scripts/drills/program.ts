// A program as a service manager runs it: a process of its own, started again whenever it ends. Nobody lends it a hand:
// what a drill calls recovery has happened by these means alone.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endWithUs } from '../interruption.ts';
import { type Stage, until } from './stage.ts';

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type Program = {
  /** Of the process that runs now. */
  pid(): number;
  /** How it ended, each time that it did. */
  readonly exits: readonly Exit[];
  kill(signal: NodeJS.Signals): Promise<void>;
  /** When the one that runs now has said that it is ready. */
  ready(): Promise<void>;
  /** The end of what it has said, of all its lives. */
  said(): string;
  /** Politely, and for good. */
  stop(): Promise<void>;
};

type Start = {
  readonly name: string;
  readonly file: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** How it says that it is ready. */
  readonly readyWord: string;
};

/** Like RestartSec of deploy/holdfast.service, only shorter. */
const RESTART_MS = 200;
const SAID_MAX = 20_000;

export const runProgram = async (stage: Stage, of: Start): Promise<Program> => {
  const log = createWriteStream(path.join(await stage.folder(), `${of.name}.log`));
  const exits: Exit[] = [];
  let child: ChildProcess;
  let [isReady, stopping, text] = [false, false, ''];
  let ended: Promise<void> = Promise.resolve();

  const start = (): void => {
    isReady = false;
    child = spawn(process.execPath, [of.file], {
      cwd: of.folder,
      // Only these: a setting of whoever drills must not change what is drilled.
      env: {
        ...{ PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
        ...of.env,
      },
      // In a session of its own: Ctrl-C at the terminal is for whoever drills.
      ...{ detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    endWithUs(child);
    let fresh = '';
    for (const output of [child.stdout!, child.stderr!]) {
      output.on('data', (chunk) => {
        log.write(chunk);
        text = (text + String(chunk)).slice(-SAID_MAX);
        // Also where it comes in two pieces.
        fresh = (fresh + String(chunk)).slice(-SAID_MAX);
        if (fresh.includes(of.readyWord)) isReady = true;
      });
    }
    ended = once(child, 'exit').then(async ([code, signal]) => {
      isReady = false;
      exits.push({ code, signal });
      if (stopping) return;
      await pause(RESTART_MS);
      if (!stopping) start();
    });
  };
  start();

  const stop = async (): Promise<void> => {
    stopping = true;
    child.kill('SIGTERM');
    await ended;
    log.end();
  };
  stage.afterwards(stop);
  return {
    ...{ exits, stop, pid: () => child.pid!, said: () => text },
    async kill(signal) {
      const before = exits.length;
      child.kill(signal);
      await until(() => exits.length > before, `the ${of.name} ended by ${signal}`);
    },
    ready: () => until(() => isReady, `the ${of.name} is ready`),
  };
};
