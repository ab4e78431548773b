// `npm start` is a good process: a signal to the process that was started ends the server, the simulators and PostgreSQL.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { clusterFolder } from '../../server/src/postgres/cluster.ts';
import { stopOrphan } from '../../server/src/postgres/orphan.ts';
import { until } from '../committer/bend.ts';
import { afterwards } from '../support/afterwards.ts';
import { temporaryFolder } from '../support/folder.ts';

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

test('a signal ends npm start', async (t) => {
  // The second start finds the database of the first.
  const dataDir = await temporaryFolder(t);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    await t.test(`${signal} ends the server, the simulators and PostgreSQL, in this order`, async (t) => {
      const { child, said, server, sandbox, postgres } = await startByNpm(t, dataDir);
      assert.ok(await answers(`${server}/api/v1/health`));
      assert.ok(await answers(`${sandbox}/control/state`));
      assert.ok(isRunning(postgres));

      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;

      assert.equal(isRunning(-child.pid!), false, 'a process of npm start is still running');
      assert.equal(isRunning(postgres), false, 'PostgreSQL is still running');
      assert.equal(await answers(`${server}/api/v1/health`), false);
      assert.equal(await answers(`${sandbox}/control/state`), false);
      const order = ['the server stopped', 'the sandbox stopped', 'the database stopped', 'stopped'];
      const places = order.map((line) => said().indexOf(`"${line}"`));
      assert.deepEqual(
        places.toSorted((a, b) => a - b),
        places,
        said(),
      );
      assert.ok(
        places.every((place) => place > 0),
        said(),
      );
    });
  }
});
