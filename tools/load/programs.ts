// Programs under load, each a process of its own with its metrics: started as anybody starts them, asked how they are, and
// ended when the run is over.

import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { startLoneProcess } from '../processes/lone-process.ts';
import type { MetricsRequest, ProcessMetrics } from './process-metrics.ts';

export type Program = {
  readonly pid: number;
  /** What the pattern found in what it said when it was ready. */
  readonly ready: string;
  /** How it ended, if it did. */
  ended(): string | null;
  ask(question: MetricsRequest): Promise<ProcessMetrics>;
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

const METRICS = path.join(import.meta.dirname, 'process-metrics.ts');
/** Stopped with everything else, also when it was only just starting. */
export const startProgram = async (start: Start, cleanUp: AsyncDisposableStack): Promise<Program> => {
  const { ready: pattern, nodeOptions = [], ...rest } = start;
  const program = startLoneProcess({ ...rest, nodeOptions: ['--import', METRICS, ...nodeOptions], hasMessages: true });
  const stop = async (): Promise<void> => {
    await program.kill('SIGTERM');
  };
  cleanUp.defer(stop);
  const ready = await program.hear(pattern);
  const ended = (): string | null => {
    const exit = program.exit();
    return exit && `${path.basename(start.file)} ended with ${exit.signal ?? exit.code}`;
  };
  let asking: Promise<unknown> = Promise.resolve();

  const askNow = async (question: MetricsRequest): Promise<ProcessMetrics> => {
    const before = ended();
    if (before !== null) throw new Error(before);
    const answer = once(program.child, 'message') as Promise<[ProcessMetrics]>;
    program.child.send(question);
    const gone = program.exited.then(() => Promise.reject(new Error(ended() ?? 'it ended')));
    const [metrics] = await Promise.race([answer, gone]);
    return metrics;
  };

  return {
    pid: program.pid,
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
      const files = await readdir(`/proc/${program.pid}/fd`).catch(() => null);
      return files?.length ?? null;
    },
  };
};
