// What the embedded PostgreSQL promises after something was killed.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { preparedFolder } from '../support/prepared-cluster.ts';
import { ask, start } from './fixture.ts';

test('after kill -9 of PostgreSQL under load every acknowledged row is there', async (t) => {
  const dataDir = await preparedFolder(t);
  const first = await start(t, { dataDir });
  await ask(first, 'create table row (n int primary key)');
  const pool = new pg.Pool({ ...first.connection, max: 8 });
  pool.on('error', () => {});
  const acknowledged: number[] = [];
  const write = async (n: number): Promise<void> => {
    await pool.query('insert into row values ($1)', [n]);
    acknowledged.push(n);
    if (acknowledged.length === 500) process.kill(first.pid, 'SIGKILL');
    return write(n + 8);
  };
  const ends = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7, 8].map(write));
  assert.ok(ends.every((end) => end.status === 'rejected'));
  assert.equal((await first.exited).signal, 'SIGKILL');
  await first.stop();
  await pool.end();

  const second = await start(t, { dataDir });
  const kept = new Set(await ask(second, 'select n from row'));
  assert.ok(acknowledged.length >= 500);
  assert.deepEqual(
    acknowledged.filter((n) => !kept.has(n)),
    [],
  );
});

test('after kill -9 of the server its PostgreSQL is stopped and a new one takes over', async (t) => {
  const dataDir = await preparedFolder(t);
  const { server, postgresPid } = await startServer(t, dataDir);
  server.kill('SIGKILL');
  await once(server, 'exit');
  assert.ok(isAlive(postgresPid), 'PostgreSQL outlives the server');

  const said: string[] = [];
  const postgres = await start(t, { dataDir, log: (line) => said.push(line) });
  assert.match(said.join(), new RegExp(`process ${postgresPid}\\b`));
  assert.notEqual(postgres.pid, postgresPid);
  assert.deepEqual(await ask(postgres, 'select 1'), [1]);
});

test('a second server on the same folder is refused with a sentence that says what to do', async (t) => {
  const dataDir = await preparedFolder(t);
  const { server } = await startServer(t, dataDir);
  const refusal = new RegExp(`in use by another Holdfast server \\(process ${server.pid}\\).*DATA_DIR`);
  await assert.rejects(start(t, { dataDir }), refusal);
});

test('of many starts at once on one folder exactly one wins', async (t) => {
  const dataDir = await temporaryFolder(t);
  const starts = await Promise.allSettled(Array.from({ length: 5 }, () => start(t, { dataDir })));
  assert.equal(starts.filter((one) => one.status === 'fulfilled').length, 1);
});

test('a stale process id that now belongs to another program does not prevent the start', async (t) => {
  const dataDir = await preparedFolder(t);
  const first = await start(t, { dataDir });
  const pidFile = path.join(dataDir, 'postgres', 'postmaster.pid');
  const content = await readFile(pidFile, 'utf8');
  await first.stop();
  const bystander = spawn('sleep', ['60']);
  afterwards(t, () => bystander.kill());
  await writeFile(pidFile, content.replace(/^\d+/, String(bystander.pid)));
  await writeFile(path.join(dataDir, 'server.pid'), `${bystander.pid}\n`);

  const second = await start(t, { dataDir });
  assert.deepEqual(await ask(second, 'select 1'), [1]);
  assert.ok(isAlive(bystander.pid!));
});

test('a preparation that was interrupted halfway starts afresh', async (t) => {
  const dataDir = await temporaryFolder(t);
  await mkdir(path.join(dataDir, 'postgres.unfinished', 'base'), { recursive: true });
  await writeFile(path.join(dataDir, 'postgres.unfinished', 'PG_VERSION'), '18\n');
  const postgres = await start(t, { dataDir });
  assert.deepEqual(await ask(postgres, 'select 1'), [1]);
});

test('a finished folder that is damaged is refused, never replaced', async (t) => {
  const dataDir = await temporaryFolder(t);
  await mkdir(path.join(dataDir, 'postgres'));
  await writeFile(path.join(dataDir, 'postgres', 'precious'), 'money');
  await assert.rejects(start(t, { dataDir }));
  assert.equal(await readFile(path.join(dataDir, 'postgres', 'precious'), 'utf8'), 'money');
});

async function startServer(t: TestContext, dataDir: string): Promise<{ server: ChildProcess; postgresPid: number }> {
  const script = path.join(import.meta.dirname, 'server-that-hangs.ts');
  const server = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(server.stdout), 'line');
  const postgresPid = Number(line);
  afterwards(t, async () => {
    if (server.exitCode === null && server.signalCode === null && server.kill('SIGTERM')) await once(server, 'exit');
  });
  return { server, postgresPid };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
