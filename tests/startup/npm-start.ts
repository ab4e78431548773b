// Starts `npm start` and ends it by a signal: the server, the simulators and PostgreSQL end with it, in this order.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { clusterFolder } from '../../server/src/postgres/cluster.ts';
import { stopOrphan } from '../../server/src/postgres/postmaster.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    async (response) => (await response.text()) !== '',
    () => false,
  );

/** Starts it in a group of its own: a signal goes to npm alone, as a service manager sends it. */
const startByNpm = async (t: TestContext, dataDir: string) => {
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', SANDBOX_PORT: '0', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  child.stderr.on('data', (chunk) => (said += chunk));
  afterwards(t, async () => {
    if (isRunning(-child.pid!)) process.kill(-child.pid!, 'SIGKILL');
    await stopOrphan(clusterFolder(dataDir), () => {});
  });
  const addresses = (): (string | undefined)[] => [
    /API\s+(http:\S+)\/api\/v1/.exec(said)?.[1],
    /Sandbox\s+(http:\S+)\/control/.exec(said)?.[1],
  ];
  await until(() => addresses().every((address) => address !== undefined), `npm start was ready: ${said}`);
  const [server, sandbox] = addresses();
  const [postgres] = (await readFile(path.join(clusterFolder(dataDir), 'postmaster.pid'), 'utf8')).split('\n');
  return { child, said: () => said, server, sandbox, postgres: Number(postgres) };
};

/** In which order its parts have to end, as the log names them. */
export const STOPPED = ['the server stopped', 'the sandbox stopped', 'the database stopped', 'stopped'];

/** Starts it and ends it by a signal: the parts that ran before and that still run afterwards, and in which order they ended. */
export const endNpmStart = async (t: TestContext, signal: 'SIGTERM' | 'SIGINT') => {
  const { child, said, server, sandbox, postgres } = await startByNpm(t, await temporaryFolder(t));
  const look = async () => ({
    npm: isRunning(-child.pid!),
    server: await answers(`${server}/api/v1/health`),
    sandbox: await answers(`${sandbox}/control/state`),
    postgres: isRunning(postgres),
  });
  const before = await look();
  // After `exit` the last lines may still be on their way.
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
  const places = STOPPED.map((line) => ({ line, at: said().indexOf(`"${line}"`) })).filter(({ at }) => at >= 0);
  const order = places.toSorted((a, b) => a.at - b.at).map(({ line }) => line);
  return { before, after: await look(), order };
};
