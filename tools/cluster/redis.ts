// The Redis in which several servers count requests together, where it is installed. It keeps nothing: counts end within a
// minute anyway.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { endWithProcess } from '../../server/src/programs/interruption.ts';
import { freePort } from '../drills/server.ts';
import { until } from '../drills/stage.ts';
import { findProgram } from './balancer.ts';

export type Redis = { readonly url: string; readonly pid: number; stop(): Promise<void> };

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('data', (chunk) => {
      resolve(String(chunk).startsWith('+PONG'));
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
  });

/** Null when this machine has none. */
export const startRedis = async (folder: string): Promise<Redis | null> => {
  const program = await findProgram('redis-server');
  if (program === null) return null;
  const port = await freePort();
  const options = { port: String(port), bind: '127.0.0.1', save: '', appendonly: 'no', dir: folder };
  const child = spawn(
    program,
    Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    { detached: true, stdio: 'ignore' },
  );
  endWithProcess(child);
  let hasEnded = false;
  const ended = once(child, 'exit').then(() => {
    hasEnded = true;
  });
  await until(async () => hasEnded || (await answers(port)), 'Redis answers');
  if (hasEnded) throw new Error('Redis did not start.');
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: child.pid!,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
};
