// Runs the real command-line tool as a child process, with folders and an environment of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';
import { endBusy, runShared } from './shared-tool.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const BIN = path.join(ROOT, 'cli/bin/holdfast.js');
/** What starts a program of the server, which writes to the output of its own process. */
const STARTERS = [
  ...['archive', 'backup', 'dev', 'distribute', 'doctor', 'migrate', 'restore', 'start', 'wallets'],
  ...['--offline', '--start'],
];

export type Ended = {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is read like JavaScript would, and the assertions are the types
  readonly json: any;
};

export type Running = {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  out(): string;
  err(): string;
  /** When it has said this, on either stream. */
  says(text: string | RegExp): Promise<void>;
  interrupt(): void;
};

type Tool = {
  readonly folder: string;
  readonly env: Record<string, string>;
  /** To its end. With `input`, in a process of its own. */
  run(args: readonly string[], options?: { env?: Record<string, string>; input?: string }): Promise<Ended>;
  start(args: readonly string[], options?: { env?: Record<string, string> }): Running;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

type Settings = {
  url?: string;
  key?: string;
  marketplace?: string;
  /** Whether each command has a process of its own. Otherwise those that end by themselves share one. */
  ownProcesses?: boolean;
};

export const openTool = async (t: TestContext, settings: Settings = {}): Promise<Tool> => {
  const folder = await temporaryFolder(t);
  const env: Record<string, string> = {
    PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
    HOME: folder,
    TMPDIR: process.env.TMPDIR ?? '/tmp',
    DATA_DIR: path.join(folder, 'data'),
    // Compiling the tool once is enough for all tests.
    XDG_CACHE_HOME: folder,
    ...(process.env.NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
    NODE_OPTIONS: process.env.NODE_OPTIONS ?? '',
    ...(settings.url === undefined ? {} : { HOLDFAST_URL: settings.url }),
    ...(settings.key === undefined ? {} : { HOLDFAST_KEY: settings.key }),
    ...(settings.marketplace === undefined ? {} : { HOLDFAST_MARKETPLACE: settings.marketplace }),
  };

  afterwards(t, endBusy);

  const start: Tool['start'] = (args, options = {}) => {
    const child = spawn(process.execPath, [BIN, ...args], { env: { ...env, ...options.env }, cwd: folder });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    const ended = new Promise<Ended>((resolve) => {
      child.on('close', (code) => resolve({ code, out, err, json: parsed(out) }));
    });
    let over = false;
    void ended.then(() => {
      over = true;
    });
    afterwards(t, async () => {
      child.kill('SIGTERM');
      await ended;
    });
    return {
      child,
      ended,
      out: () => out,
      err: () => err,
      async says(text) {
        const isSaid = () => (typeof text === 'string' ? (out + err).includes(text) : text.test(out + err));
        await until(() => isSaid() || over, `${text} in:\n${out}${err}`);
        if (!isSaid()) throw new Error(`It ended without saying ${text}:\n${out}${err}`);
      },
      interrupt: () => void child.kill('SIGINT'),
    };
  };

  return {
    folder,
    env,
    start,
    async run(args, { input, ...options } = {}) {
      if (settings.ownProcesses || input !== undefined || args.some((word) => STARTERS.includes(word))) {
        const { child, ended } = start(args, options);
        child.stdin!.end(input ?? '');
        return ended;
      }
      const ended = await runShared({ args, env: { ...env, ...options.env }, folder });
      return { ...ended, json: parsed(ended.out) };
    },
  };
};
