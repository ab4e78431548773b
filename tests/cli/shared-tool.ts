// Runs commands of the tool in one child process for all tests of this process, one after the other.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { atTheEnd } from '../../tools/test-database/at-the-end.ts';

export type Command = {
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  /** The working directory. */
  readonly folder: string;
};

export type Result = { readonly code: number | null; readonly out: string; readonly err: string };

let child: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();
let isBusy = false;

const isOver = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

const start = (): ChildProcess => {
  const started = fork(path.join(import.meta.dirname, 'many-commands.ts'), {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
  });
  atTheEnd(async () => {
    if (isOver(started)) return;
    started.disconnect();
    await once(started, 'exit');
  });
  return started;
};

/** A command that ends the process it runs in gives that exit code, and the next one gets another process. */
const runAlone = async (command: Command): Promise<Result> => {
  if (child === undefined || isOver(child)) child = start();
  const { promise, resolve } = Promise.withResolvers<Result>();
  let err = '';
  const onError = (text: Buffer): void => {
    err += text;
  };
  const onExit = (code: number | null): void => resolve({ code, out: '', err });
  child.stderr!.on('data', onError);
  child.once('message', resolve as (message: unknown) => void);
  child.once('exit', onExit);
  isBusy = true;
  child.send(command);
  const result = await promise;
  isBusy = false;
  child.stderr!.off('data', onError);
  child.off('message', resolve as (message: unknown) => void);
  child.off('exit', onExit);
  return result;
};

export const runShared = (command: Command): Promise<Result> => {
  const running = last.then(() => runAlone(command));
  last = running;
  return running;
};

/** For a test that has ended while its command still runs: the next one gets another process. */
export const endBusy = async (): Promise<void> => {
  if (!isBusy) return;
  child!.kill('SIGKILL');
  await last;
};
