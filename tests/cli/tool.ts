// Runs the real command-line tool as a child process, with folders and an environment of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { until } from '../committer/bend.ts';
import { afterwards } from '../support/afterwards.ts';
import { temporaryFolder } from '../support/folder.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const BIN = path.join(ROOT, 'cli/bin/holdfast.js');

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

export type Tool = {
  readonly folder: string;
  readonly env: Record<string, string>;
  /** To its end. */
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

export const openTool = async (t: TestContext, settings: { url?: string; key?: string } = {}): Promise<Tool> => {
  const folder = await temporaryFolder(t);
  const env: Record<string, string> = {
    PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
    HOME: folder,
    TMPDIR: process.env.TMPDIR ?? '/tmp',
    DATA_DIR: path.join(folder, 'data'),
    // Compiling the tool once is enough for a whole run; the run's folder goes away with it.
    XDG_CACHE_HOME: process.env.TEST_POSTGRES === undefined ? folder : os.tmpdir(),
    NODE_OPTIONS: process.env.NODE_OPTIONS ?? '',
    ...(settings.url === undefined ? {} : { HOLDFAST_URL: settings.url }),
    ...(settings.key === undefined ? {} : { HOLDFAST_KEY: settings.key }),
  };

  const start: Tool['start'] = (args, options = {}) => {
    const child = spawn(process.execPath, [BIN, ...args], { env: { ...env, ...options.env }, cwd: folder });
    let [out, err] = ['', ''];
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
      ...{ child, ended, out: () => out, err: () => err },
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
      const { child, ended } = start(args, options);
      child.stdin!.end(input ?? '');
      return ended;
    },
  };
};
