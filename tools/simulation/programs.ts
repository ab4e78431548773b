// Programs of a simulated environment, each in a process of its own, so that it can be killed as a power cut would: the real server,
// and the simulators of the outside systems with their state in a file.

import path from 'node:path';
import { startLoneProcess } from '../processes/lone-process.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
export const SERVER = path.join(ROOT, 'server/src/main.ts');
export const SIMULATORS = path.join(import.meta.dirname, 'simulators-process.ts');

export type Program = {
  /** What the pattern found in what it said when it was ready. */
  readonly ready: string;
  isAlive(): boolean;
  /** The end of what it wrote, to both outputs. */
  said(): string;
  kill(): Promise<unknown>;
};

type Start = {
  readonly file: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Its first group is what the program says of itself. */
  readonly ready: RegExp;
};

export const startProgram = async ({ ready: pattern, ...start }: Start): Promise<Program> => {
  const { exit, said, kill, hear } = startLoneProcess(start);
  const ready = await hear(pattern);
  return { ready, said, isAlive: () => exit() === null, kill: () => kill('SIGKILL') };
};
