// The whole server as anybody starts it, `node server/src/main.ts`, with its own data folder and its log in a file.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { stopChild } from './child.ts';

export type ServerProcess = {
  readonly url: string;
  readonly port: number;
  /** From the start of the process to its first answer. */
  readonly startMs: number;
  stop(): Promise<void>;
};

const ROOT = path.resolve(import.meta.dirname, '..');

export const startServer = async (of: { folder: string; masterKey: string }): Promise<ServerProcess> => {
  const log = await open(path.join(of.folder, 'server.log'), 'a');
  const started = performance.now();
  const child = spawn(process.execPath, ['server/src/main.ts'], {
    cwd: ROOT,
    // Only these: a setting of whoever measures must not change what is measured.
    env: {
      PATH: process.env.PATH,
      DATA_DIR: path.join(of.folder, 'data'),
      PORT: '0',
      MASTER_KEY: of.masterKey,
      RATE_LIMIT_MAX: '10000000',
    },
    stdio: ['ignore', log.fd, 'pipe'],
  });
  const stop = async (): Promise<void> => {
    await stopChild(child);
    await log.close().catch(() => {});
  };
  try {
    const url = await addressIn(child.stderr!, once(child, 'exit'));
    const response = await fetch(`${url}/api/v1/health`);
    if (!response.ok) throw new Error(`the server is not healthy: ${await response.text()}`);
    return { url, port: Number(new URL(url).port), startMs: performance.now() - started, stop };
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
