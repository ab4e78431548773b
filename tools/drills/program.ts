// A program as a service manager runs it: a process of its own, started again whenever it ends. It gets no other help:
// what a drill calls recovery has happened by these means alone.

import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Exit, type LoneProcess, startLoneProcess } from '../processes/lone-process.ts';
import { type Stage, until } from './stage.ts';

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
  readonly readyWord: RegExp;
};

/** Like RestartSec of deploy/holdfast.service, only shorter. */
const RESTART_MS = 200;

export const runProgram = async (stage: Stage, of: Start): Promise<Program> => {
  const logs = await stage.folder();
  const lives: LoneProcess[] = [];
  const exits: Exit[] = [];
  let isReady = false;
  let stopping = false;
  let ended: Promise<void> = Promise.resolve();

  const start = (): void => {
    const { file, folder, env } = of;
    const life = startLoneProcess({ file, folder, env, logFile: path.join(logs, `${of.name}-${lives.length}.log`) });
    lives.push(life);
    // No caller waits for a program that ends before it is ready.
    life.hear(of.readyWord).then(
      () => {
        isReady = life.exit() === null;
      },
      () => {},
    );
    ended = life.exited.then(async (exit) => {
      isReady = false;
      exits.push(exit);
      if (stopping) return;
      await pause(RESTART_MS);
      if (!stopping) start();
    });
  };
  start();

  const stop = async (): Promise<void> => {
    stopping = true;
    lives.at(-1)!.kill('SIGTERM');
    await ended;
  };
  stage.afterwards(stop);
  return {
    exits,
    stop,
    pid: () => lives.at(-1)!.pid,
    said: () => lives.map((life) => life.said()).join('\n'),
    async kill(signal) {
      const before = exits.length;
      lives.at(-1)!.kill(signal);
      await until(() => exits.length > before, `the ${of.name} ended by ${signal}`);
    },
    ready: () =>
      until(() => isReady, `the ${of.name} is ready`).catch((error) => {
        throw new Error(`the ${of.name} did not become ready: ${lives.at(-1)!.said()}`, { cause: error });
      }),
  };
};
