// Programs under load, each a process of its own with its vitals: started as anybody starts them, asked how they are, and
// ended when the run is over.

import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { startLoneProcess } from '../processes/lone-process.ts';
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
/** Stopped with everything else, also when it was only just starting. */
export const startProgram = async (start: Start, cleanUp: AsyncDisposableStack): Promise<Program> => {
  const { ready: pattern, nodeOptions = [], ...rest } = start;
  const life = startLoneProcess({ ...rest, nodeOptions: ['--import', VITALS, ...nodeOptions], hasMessages: true });
  const stop = async (): Promise<void> => {
    await life.kill('SIGTERM');
  };
  cleanUp.defer(stop);
  const ready = await life.hear(pattern);
  const ended = (): string | null => {
    const exit = life.exit();
    return exit && `${path.basename(start.file)} ended with ${exit.signal ?? exit.code}`;
  };
  let asking: Promise<unknown> = Promise.resolve();

  const askNow = async (question: VitalsQuestion): Promise<Vitals> => {
    const before = ended();
    if (before !== null) throw new Error(before);
    const answer = once(life.child, 'message') as Promise<[Vitals]>;
    life.child.send(question);
    const gone = life.exited.then(() => Promise.reject(new Error(ended() ?? 'it ended')));
    const [vitals] = await Promise.race([answer, gone]);
    return vitals;
  };

  return {
    pid: life.pid,
    ready,
    stop,
    ended,
    ask(question) {
      // One question at a time: answers carry no name.
      const answer = asking.then(() => askNow(question));
      asking = answer.catch(() => {});
      return answer;
    },
    async openFiles() {
      const files = await readdir(`/proc/${life.pid}/fd`).catch(() => null);
      return files?.length ?? null;
    },
  };
};
