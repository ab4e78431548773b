// The whole server as anybody starts it, `node server/src/main.ts`, with its own data folder and its log in a file.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { stopChild } from '../tools/measure/child.ts';

export type ServerProcess = {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** From the start of the process to its first answer. */
  readonly startMs: number;
  /** The last warnings and errors of its log. */
  troubles(): Promise<string[]>;
  stop(): Promise<void>;
};

const TROUBLES_MAX = 5;
const ROOT = path.resolve(import.meta.dirname, '..');
/** As `npm start` sets it. */
const MEMORY = ['--max-semi-space-size=16', '--max-old-space-size=1024', '--heap-growing-percent=20', '--expose-gc'];
const COMPILED = path.join(ROOT, 'node_modules/.cache/holdfast-compiled');

type Start = {
  readonly folder: string;
  readonly masterKey: string;
  /** Beyond what every measurement sets. */
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeOptions?: readonly string[];
};

export const startServer = async (of: Start): Promise<ServerProcess> => {
  const logFile = path.join(of.folder, 'server.log');
  const log = await open(logFile, 'a');
  const started = performance.now();
  const child = spawn(process.execPath, [...MEMORY, ...(of.nodeOptions ?? []), 'server/src/main.ts'], {
    cwd: ROOT,
    // Only these settings: the environment of the user must not change the measurement.
    env: {
      PATH: process.env.PATH,
      MALLOC_ARENA_MAX: '2',
      NODE_COMPILE_CACHE: COMPILED,
      SANDBOX: 'off',
      DATA_DIR: path.join(of.folder, 'data'),
      PORT: '0',
      MASTER_KEY: of.masterKey,
      RATE_LIMIT_MAX: '10000000',
      ...of.env,
    },
    stdio: ['ignore', log.fd, 'pipe'],
  });
  const stop = async (): Promise<void> => {
    await stopChild(child);
    await log.close().catch(() => {});
  };
  const troubles = async (): Promise<string[]> => {
    const lines = (await readFile(logFile, 'utf8')).split('\n');
    return lines.filter((line) => /^\{"level":[456]0/.test(line)).slice(-TROUBLES_MAX);
  };
  try {
    const url = await addressIn(child.stderr!, once(child, 'exit'));
    const response = await fetch(`${url}/api/v1/health`);
    if (!response.ok) throw new Error(`the server is not healthy: ${await response.text()}`);
    const startMs = performance.now() - started;
    return { url, port: Number(new URL(url).port), pid: child.pid!, startMs, troubles, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** The welcome on standard error says where the server listens. */
const addressIn = (stderr: NodeJS.ReadableStream, exited: Promise<unknown>): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    stderr.setEncoding('utf8');
    stderr.on('data', (chunk: string) => {
      text += chunk;
      const url = /API +(http:\/\/\S+)\/api\/v1/.exec(text)?.[1];
      if (url) resolve(url);
    });
    exited.then(() => reject(new Error(`the server did not start: ${text}`)), reject);
  });
